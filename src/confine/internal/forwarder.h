#pragma once
#include "base/result.h"
#include "confine/command.h"

namespace clever::confine::internal {

/// Starts a process that listens on the loopback device of this network namespace and hands every
/// connection, as a descriptor, to the proxy outside; adds its address to the command's
/// environment. For process 1, before it drops its privileges.
[[nodiscard]] base::Result<void> start_forwarder(Command& command);

}  // namespace clever::confine::internal
