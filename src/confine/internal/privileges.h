#pragma once
#include "base/result.h"
#include "confine/command.h"

// What a process gives up before it becomes somebody else's. Plain functions for a process with one
// thread; nothing given up comes back.
namespace clever::confine::internal {

/// No capability, none to be gained by running a program, and no look into this process's memory.
[[nodiscard]] base::Result<void> drop_privileges();
[[nodiscard]] base::Result<void> set_limits(const Limits& limits);

}  // namespace clever::confine::internal
