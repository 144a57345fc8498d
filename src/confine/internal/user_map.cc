#include "confine/internal/user_map.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <string>

#include "confine/internal/not_offered.h"
#include "io/file_descriptor.h"

namespace clever::confine::internal {
namespace {

base::Result<void> write_map(const char* path, const std::string& text) {
  const io::FileDescriptor file(::open(path, O_WRONLY | O_CLOEXEC));
  const auto size = static_cast<ssize_t>(text.size());
  if (file.valid() && ::write(file.number(), text.data(), text.size()) == size) return {};
  return not_offered(errno, std::string("a user namespace cannot be set up: ") + path);
}

}  // namespace

base::Result<void> map_user(const User& user) {
  const auto same = [](unsigned number) {
    return std::to_string(number) + " " + std::to_string(number) + " 1";
  };
  CLEVER_TRY(write_map("/proc/self/setgroups", "deny"));
  CLEVER_TRY(write_map("/proc/self/uid_map", same(user.number)));
  return write_map("/proc/self/gid_map", same(user.group));
}

pid_t fork_into(unsigned long namespaces, int& watch) {
  return static_cast<pid_t>(
      ::syscall(SYS_clone, namespaces | CLONE_PIDFD | SIGCHLD, nullptr, &watch, nullptr, nullptr));
}

}  // namespace clever::confine::internal
