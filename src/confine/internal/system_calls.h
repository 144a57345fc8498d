#pragma once
#include "base/result.h"

namespace clever::confine::internal {

/// From here on the kernel refuses, with EPERM, the system calls that no build or test needs and
/// every escape does: mounts, namespaces, tracing, keyrings, modules, io_uring, other machines'
/// call numbers, pushing input into a terminal … For a process that cannot gain privileges.
[[nodiscard]] base::Result<void> filter_system_calls();

}  // namespace clever::confine::internal
