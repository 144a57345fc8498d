#pragma once
#include "base/result.h"

namespace clever::confine::internal {

/// From here on the kernel refuses, with EPERM, the system calls that no build or test needs and
/// escapes use: mounts, namespaces, tracing, keyrings, modules, io_uring, other architectures'
/// calls, injecting terminal input … For a process that cannot gain privileges.
[[nodiscard]] base::Result<void> filter_system_calls();

}  // namespace clever::confine::internal
