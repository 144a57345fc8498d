#pragma once
#include "cli/words.h"
#include "service/command.h"

namespace clever::cli {

/// The whole command line of `agents`.
[[nodiscard]] Command command_tree();

}  // namespace clever::cli
