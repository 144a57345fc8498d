#include "io/internal/child.h"

#include <fcntl.h>
#include <poll.h>
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

// Returns whether the process of this folder in /proc belongs to the group and still runs. An
// unreaped zombie does not run (its parent is gone and init is slow, or absent in a container).
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
  // Signal 0 asks whether the group has members: in the usual case it has none.
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
  CLEVER_ASSIGN(const pid_t process, spawn(options, streams, Leads::kGroup));
  Child child(process);
  // Calls the system call: glibc 2.36 declares the wrapper without C linkage.
  child.watch_ = FileDescriptor(static_cast<int>(::syscall(SYS_pidfd_open, process, 0)));
  if (!child.watch_.valid()) return system_error(errno, "cannot run " + options.argv.front());
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
