#include "io/internal/child.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <sstream>
#include <utility>

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

  void set_up(const ProcessOptions& options, const ChildStreams& streams) {
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

// A group of its own, no blocked signal, and the default action for each: a parent that ignores
// SIGPIPE must not make its children ignore it.
class Attributes {
 public:
  Attributes() {
    ::posix_spawnattr_init(&attributes_);
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    ::posix_spawnattr_setsigdefault(&attributes_, &all);
    ::posix_spawnattr_setpgroup(&attributes_, 0);
    ::posix_spawnattr_setflags(
        &attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
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

// What exec wants: pointers to the texts, then a null pointer. exec does not write to them.
std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> result;
  result.reserve(texts.size() + 1);
  for (const std::string& text : texts) result.push_back(const_cast<char*>(text.c_str()));
  result.push_back(nullptr);
  return result;
}

base::Error cannot_run(int number, const std::string& program) {
  return system_error(number, "cannot run " + program);
}

// Whether the process whose folder in /proc this is belongs to the group and still runs. A dead one
// that nobody has reaped (its parent is gone and init is slow, or absent in a container) does not.
bool runs_in_group(const std::filesystem::path& folder, pid_t group) {
  const auto status = read_file(folder / "stat");
  if (!status.ok()) return false;
  // "PID (NAME) STATE PARENT GROUP …"; the name may contain anything.
  const std::size_t name_end = status->rfind(')');
  if (name_end == std::string::npos) return false;
  std::istringstream fields(status->substr(name_end + 1));
  char state = 0;
  pid_t parent = 0;
  pid_t its_group = 0;
  fields >> state >> parent >> its_group;
  return its_group == group && state != 'Z' && state != 'X';
}

bool group_runs(pid_t group) {
  // Signal 0 asks whether the group has members at all: the ordinary case needs no closer look.
  if (::kill(-group, 0) != 0) return false;
  std::error_code gone;
  std::filesystem::directory_iterator processes("/proc", gone);
  return std::ranges::any_of(begin(processes), end(processes), [group](const auto& entry) {
    return std::isdigit(static_cast<unsigned char>(entry.path().filename().c_str()[0])) != 0 &&
           runs_in_group(entry.path(), group);
  });
}

void wait_until_group_is_gone(pid_t group) {
  constexpr int kMostTries = 1000;
  for (int tries = 0; tries < kMostTries && group_runs(group); ++tries) ::poll(nullptr, 0, 1);
}

}  // namespace

base::Result<Child> Child::start(const ProcessOptions& options, const ChildStreams& streams) {
  CLEVER_TRY(check(options));
  FileActions actions;
  actions.set_up(options, streams);
  const Attributes attributes;
  const std::vector<char*> arguments = pointers(options.argv);
  const std::vector<char*> variables =
      options.environment ? pointers(*options.environment) : std::vector<char*>{};
  pid_t process = 0;
  const int failure =
      ::posix_spawnp(&process, arguments.front(), actions.native(), attributes.native(),
                     arguments.data(), options.environment ? variables.data() : environ);
  if (failure != 0) return cannot_run(failure, options.argv.front());
  Child child(process);
  // The system call itself: glibc 2.36 declares the wrapper without C linkage.
  child.watch_ = FileDescriptor(static_cast<int>(::syscall(SYS_pidfd_open, process, 0)));
  if (!child.watch_.valid()) return cannot_run(errno, options.argv.front());
  return child;
}

Child::~Child() {
  if (process_ != 0) static_cast<void>(finish());
}

int Child::finish() {
  const pid_t process = std::exchange(process_, 0);
  ::kill(-process, SIGKILL);
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  wait_until_group_is_gone(process);
  return status;
}

}  // namespace clever::io::internal
