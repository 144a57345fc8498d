#include "confine/show_program.h"

#include "confine/internal/user_programs.h"

namespace clever::confine {

void show_program(Command& command, const std::vector<std::string>& argv) {
  if (command.unconfined) return;
  Command started = command;
  started.argv = argv;
  internal::add_mounts(command, internal::user_programs(started, command.hidden).mounts);
}

}  // namespace clever::confine
