#pragma once
#include <grp.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <utility>

// Present in coverage builds only: _exit() writes no profile by itself.
extern "C" int __llvm_profile_write_file() __attribute__((weak));

namespace clever::test {

/// A copy of this process that runs `body` and exits with what it returns. For what must not happen
/// to the test itself: limits, closed descriptors, another user, kill -9.
class ChildProcess {
 public:
  explicit ChildProcess(const std::function<int()>& body) : process_(::fork()) {
    if (process_ < 0) std::abort();
    if (process_ != 0) return;
    const int code = body();
    if (__llvm_profile_write_file != nullptr) __llvm_profile_write_file();
    ::_exit(code);
  }
  ~ChildProcess() {
    if (process_ > 0) kill_and_wait();
  }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  [[nodiscard]] pid_t id() const { return process_; }

  /// The exit code; minus the signal if one ended it.
  int wait() {
    int status = 0;
    while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    process_ = -1;
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
  }

  /// Waits until it stops itself with SIGSTOP: true; false if it ends, and wait() tells how.
  [[nodiscard]] bool stops() const {
    siginfo_t news{};
    while (::waitid(P_PID, static_cast<id_t>(process_), &news, WEXITED | WSTOPPED | WNOWAIT) < 0 &&
           errno == EINTR) {
    }
    if (news.si_code != CLD_STOPPED) return false;
    return ::waitid(P_PID, static_cast<id_t>(process_), &news, WSTOPPED) == 0;
  }
  void go_on() const { ::kill(process_, SIGCONT); }

  int kill_and_wait() {
    ::kill(process_, SIGKILL);
    return wait();
  }

 private:
  pid_t process_;
};

inline int in_child(const std::function<int()>& body) { return ChildProcess(body).wait(); }

/// Like in_child(), without root's power to ignore permissions.
inline int in_unprivileged_child(const std::function<int()>& body) {
  constexpr uid_t kNobody = 65534;
  return in_child([&] {
    if (::geteuid() != 0) return body();
    if (::setgroups(0, nullptr) != 0 || ::setgid(kNobody) != 0 || ::setuid(kNobody) != 0) return 99;
    return body();
  });
}

}  // namespace clever::test
