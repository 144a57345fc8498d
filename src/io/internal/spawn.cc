#include "io/internal/spawn.h"

#include <spawn.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <string>
#include <vector>

#include "io/file.h"
#include "io/system_error.h"

namespace clever::io::internal {
namespace {

class FileActions {
 public:
  FileActions() { ::posix_spawn_file_actions_init(&actions_); }
  ~FileActions() { ::posix_spawn_file_actions_destroy(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;

  void set_up(const ProcessOptions& options, const ChildStreams& streams, int terminal) {
    if (terminal >= 0) ::posix_spawn_file_actions_addtcsetpgrp_np(&actions_, terminal);
    ::posix_spawn_file_actions_adddup2(&actions_, streams.input, STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions_, streams.output, STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions_, streams.error_output, STDERR_FILENO);
    ::posix_spawn_file_actions_addclosefrom_np(&actions_, STDERR_FILENO + 1);
    if (!options.working_directory.empty()) {
      ::posix_spawn_file_actions_addchdir_np(&actions_, options.working_directory.c_str());
    }
  }
  [[nodiscard]] const posix_spawn_file_actions_t* native() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

class Attributes {
 public:
  explicit Attributes(Leads leads) {
    ::posix_spawnattr_init(&attributes_);
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    ::posix_spawnattr_setsigdefault(&attributes_, &all);
    ::posix_spawnattr_setpgroup(&attributes_, 0);
    const int place = leads == Leads::kGroup ? POSIX_SPAWN_SETPGROUP : POSIX_SPAWN_SETSID;
    ::posix_spawnattr_setflags(
        &attributes_, static_cast<short>(place | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF));
  }
  ~Attributes() { ::posix_spawnattr_destroy(&attributes_); }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  [[nodiscard]] const posix_spawnattr_t* native() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

bool has_nul(const std::string& text) { return text.find('\0') != std::string::npos; }

base::Result<void> check(const ProcessOptions& options) {
  if (options.argv.empty() || options.argv.front().empty()) {
    return base::invalid_argument("no program to run");
  }
  if (std::ranges::any_of(options.argv, has_nul) ||
      (options.environment && std::ranges::any_of(*options.environment, has_nul))) {
    return base::invalid_argument("an argument of " + options.argv.front() +
                                  " contains a NUL byte");
  }
  const auto& folder = options.working_directory;
  if (!folder.empty() && file_kind(folder) != FileKind::kDirectory) {
    return base::not_found("cannot run " + options.argv.front() + " in " + folder.string() +
                           ": no such folder");
  }
  return {};
}

// exec takes pointers to the texts and a null pointer, and does not write to them.
std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> result;
  result.reserve(texts.size() + 1);
  for (const std::string& text : texts) result.push_back(const_cast<char*>(text.c_str()));
  result.push_back(nullptr);
  return result;
}

}  // namespace

base::Result<pid_t> spawn(const ProcessOptions& options, const ChildStreams& streams, Leads leads,
                          int terminal) {
  CLEVER_TRY(check(options));
  FileActions actions;
  actions.set_up(options, streams, terminal);
  const Attributes attributes(leads);
  const std::vector<char*> arguments = pointers(options.argv);
  const std::vector<char*> variables =
      options.environment ? pointers(*options.environment) : std::vector<char*>{};
  pid_t process = 0;
  const int failure =
      ::posix_spawnp(&process, arguments.front(), actions.native(), attributes.native(),
                     arguments.data(), options.environment ? variables.data() : environ);
  if (failure != 0) return system_error(failure, "cannot run " + options.argv.front());
  return process;
}

}  // namespace clever::io::internal
