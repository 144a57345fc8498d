#pragma once
#include "cli/words.h"
#include "service/command.h"

// The commands that need a terminal or the command tree itself; all others are in the service. One
// function per command, one file each. Private to the module.
namespace clever::cli {

[[nodiscard]] Command tui_command();
[[nodiscard]] Command session_command();
[[nodiscard]] Command plan_review_command();
[[nodiscard]] Command completion_command();
[[nodiscard]] Command complete_command();
[[nodiscard]] Command help_command();
[[nodiscard]] Command manual_command();

}  // namespace clever::cli
