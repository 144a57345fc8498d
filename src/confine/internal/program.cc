#include "confine/internal/program.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "confine/internal/landlock.h"
#include "confine/internal/privileges.h"
#include "confine/internal/system_calls.h"
#include "io/system_error.h"

namespace clever::confine::internal {
namespace {

void reset_signals() {
  for (int number = 1; number < NSIG; ++number) ::signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

base::Result<void> begin(const Command& command) {
  reset_signals();
  ::setsid();
  ::umask(022);
  if (::chdir(command.working_directory.c_str()) == 0) return {};
  return io::system_error(errno, "cannot work in " + command.working_directory.string());
}

// Looks the program up in the PATH that it will see.
base::Error run(const Command& command) {
  const std::vector<char*> arguments = exec_pointers(command.argv);
  std::vector<char*> variables = exec_pointers(command.environment);
  environ = variables.data();
  ::execvp(arguments.front(), arguments.data());
  return io::system_error(errno, "cannot run " + command.argv.front());
}

}  // namespace

std::vector<char*> exec_pointers(const std::vector<std::string>& texts) {
  std::vector<char*> result;
  result.reserve(texts.size() + 1);
  // exec(3) does not write to them.
  for (const std::string& text : texts) result.push_back(const_cast<char*>(text.c_str()));
  result.push_back(nullptr);
  return result;
}

base::Error become_confined(const Command& command,
                            const std::vector<std::filesystem::path>& writable) {
  const auto prepare = [&]() -> base::Result<void> {
    CLEVER_TRY(begin(command));
    CLEVER_TRY(drop_privileges());
    CLEVER_TRY(restrict_writes(writable));
    CLEVER_TRY(set_limits(command.limits));
    return filter_system_calls();
  };
  if (auto ready = prepare(); !ready.ok()) return std::move(ready).error();
  return run(command);
}

base::Error become_unconfined(const Command& command) {
  if (auto ready = begin(command); !ready.ok()) return std::move(ready).error();
  return run(command);
}

}  // namespace clever::confine::internal
