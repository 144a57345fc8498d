#include "service/commands/login.h"

#include "service/commands/commands.h"

namespace clever::service {

Command login_command() {
  return {.name = "login",
          .summary = "Sign devices in to a server",
          .examples = {{"agents login approve ABCD-EFGH-JKMN", "Let a device sign in as you"}},
          .subcommands = {login_approve_command()}};
}

}  // namespace clever::service
