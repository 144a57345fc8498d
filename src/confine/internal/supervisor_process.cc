#include "confine/internal/supervisor_process.h"

#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>

#include "base/plant.h"
#include "confine/internal/program.h"
#include "confine/internal/supervisor.h"
#include "io/system_error.h"

namespace clever::confine::internal {
namespace {

class FileActions {
 public:
  explicit FileActions(const SupervisorDescriptors& descriptors) {
    ::posix_spawn_file_actions_init(&actions_);
    move(descriptors.input, STDIN_FILENO);
    if (!base::planted("confine.writes_to_our_output")) move(descriptors.output, STDOUT_FILENO);
    move(descriptors.error, STDERR_FILENO);
    move(descriptors.control, kControlNumber);
    const bool proxy = descriptors.proxy >= 0;
    if (proxy) move(descriptors.proxy, kProxyNumber);
    ::posix_spawn_file_actions_addclosefrom_np(&actions_, proxy ? kProxyNumber + 1 : kProxyNumber);
  }
  ~FileActions() { ::posix_spawn_file_actions_destroy(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
  [[nodiscard]] const posix_spawn_file_actions_t* native() const { return &actions_; }

 private:
  void move(int from, int to) { ::posix_spawn_file_actions_adddup2(&actions_, from, to); }

  posix_spawn_file_actions_t actions_{};
};

// Starts a session of its own, which a terminal's signals and input do not reach.
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
    ::posix_spawnattr_setflags(&attributes_,
                               POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  ~Attributes() { ::posix_spawnattr_destroy(&attributes_); }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  [[nodiscard]] const posix_spawnattr_t* native() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

// Empty, so that nothing can leak, except where a coverage build writes its data.
std::vector<std::string> supervisor_environment() {
#if defined(CLEVER_COVERAGE)
  if (const char* profile = std::getenv("LLVM_PROFILE_FILE")) {
    return {std::string("LLVM_PROFILE_FILE=") + profile};
  }
#endif
  return {};
}

}  // namespace

base::Result<SupervisorProcess> SupervisorProcess::start(const std::vector<std::string>& argv,
                                                         const SupervisorDescriptors& descriptors) {
  if (argv.empty()) return base::invalid_argument("no program to supervise commands");
  const FileActions actions(descriptors);
  const Attributes attributes;
  const std::vector<char*> arguments = exec_pointers(argv);
  const std::vector<std::string> variables = supervisor_environment();
  const std::vector<char*> environment = exec_pointers(variables);
  pid_t process = 0;
  const int failure = ::posix_spawn(&process, arguments.front(), actions.native(),
                                    attributes.native(), arguments.data(), environment.data());
  if (failure != 0) return io::system_error(failure, "cannot run " + argv.front());
  SupervisorProcess supervisor(process);
  // Calls the system call: glibc 2.36 declares the wrapper without C linkage.
  supervisor.watch_ = io::FileDescriptor(static_cast<int>(::syscall(SYS_pidfd_open, process, 0)));
  if (!supervisor.watch_.valid()) return io::system_error(errno, "cannot watch a process");
  return supervisor;
}

SupervisorProcess::~SupervisorProcess() { reap(); }

void SupervisorProcess::reap() {
  const pid_t process = std::exchange(process_, 0);
  if (process == 0) return;
  while (::waitpid(process, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace clever::confine::internal
