#pragma once
#include <string>
#include <vector>

#include "confine/command.h"

namespace clever::confine {

/// Mounts the program of a command line that `command` starts itself, as the command's own program
/// is: read-only, in place, with the interpreter that its first line names.
void show_program(Command& command, const std::vector<std::string>& argv);

}  // namespace clever::confine
