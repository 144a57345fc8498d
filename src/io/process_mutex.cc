#include "io/process_mutex.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "base/atomic.h"
#include "base/lock_rank.h"
#include "io/system_error.h"

namespace clever::io {
namespace {

int interrupting_signal() { return SIGRTMAX - 1; }

void do_nothing(int /*signal*/) {}

// Without SA_RESTART a blocked flock(2) returns after the handler.
bool install_handler() {
  struct sigaction action{};
  action.sa_handler = do_nothing;
  sigemptyset(&action.sa_mask);
  return ::sigaction(interrupting_signal(), &action, nullptr) == 0;
}

// Ends the blocking call of its thread when a stop is requested. A signal between the check of the
// token and the call is lost, so it is sent until the thread returns.
class Interrupter {
 public:
  explicit Interrupter(const base::StopToken& stop)
      : waiting_(::gettid()), on_stop_(stop, [this] { interrupt(); }) {}
  ~Interrupter() { returned_.store(true); }
  Interrupter(const Interrupter&) = delete;
  Interrupter& operator=(const Interrupter&) = delete;

 private:
  void interrupt() {
    // The thread itself sees a stop that was requested before.
    if (waiting_ == ::gettid()) return;
    while (!returned_.load()) {
      ::tgkill(::getpid(), waiting_, interrupting_signal());
      ::poll(nullptr, 0, 1);
    }
  }

  const pid_t waiting_;
  base::Atomic<bool> returned_;  // publishes that the call is over
  base::StopCallback on_stop_;
};

base::Error stopped() { return base::cancelled("stopped while waiting for another process"); }

base::Result<void> lock_and_wait(int file, const base::StopToken& stop) {
  static const bool installed = install_handler();
  CLEVER_CHECK(installed, "a handler can be set for a real-time signal");
  const Interrupter interrupter(stop);
  while (!stop.stop_requested()) {
    if (::flock(file, LOCK_EX) == 0) return {};
    if (errno != EINTR) return system_error(errno, "cannot lock a file");
  }
  return stopped();
}

}  // namespace

base::Result<ProcessMutex> ProcessMutex::open(const std::filesystem::path& path) {
  base::lock_rank::require_none("opening a lock file");
  FileDescriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!file.valid()) return system_error(errno, "cannot open the lock file", path);
  return ProcessMutex(std::move(file));
}

base::Result<void> ProcessMutex::lock(const base::StopToken& stop) {
  base::lock_rank::require_none("waiting for another process");
  if (::flock(file_.number(), LOCK_EX | LOCK_NB) == 0) return {};
  if (errno != EWOULDBLOCK && errno != EINTR) {
    return system_error(errno, "cannot lock a file");
  }
  return lock_and_wait(file_.number(), stop);
}

void ProcessMutex::unlock() noexcept { ::flock(file_.number(), LOCK_UN); }

}  // namespace clever::io
