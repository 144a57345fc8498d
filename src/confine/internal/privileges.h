#pragma once
#include "base/result.h"
#include "confine/command.h"

// Drops privileges before a process runs a program. Plain functions for a single-threaded process;
// irreversible.
namespace clever::confine::internal {

/// Drops all capabilities for good, and closes this process's memory to other processes.
[[nodiscard]] base::Result<void> drop_privileges();
[[nodiscard]] base::Result<void> set_limits(const Limits& limits);

}  // namespace clever::confine::internal
