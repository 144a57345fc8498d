#pragma once
#include "base/result.h"
#include "confine/command.h"

namespace clever::confine::internal {

/// Starts a process that listens on the loopback device of this network namespace and hands every
/// connection, as a descriptor, to the proxy outside; adds to the command's environment where it
/// listens. For process 1, before it gives up its privileges.
[[nodiscard]] base::Result<void> start_forwarder(Command& command);

}  // namespace clever::confine::internal
