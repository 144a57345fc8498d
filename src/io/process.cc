#include "io/process.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <string_view>

#include "base/lock_rank.h"
#include "io/internal/child.h"
#include "io/internal/pipe.h"
#include "io/no_pipe_signal.h"
#include "io/system_error.h"

namespace clever::io {
namespace {

using internal::Child;
using internal::Pipe;

// poll(2) cannot watch a deadline on another clock than the system's, so it is checked at least
// this often.
constexpr std::chrono::milliseconds kLongestPoll{100};

int poll_timeout(const base::Deadline& deadline) {
  if (deadline.is_never()) return -1;
  const auto remaining = std::chrono::ceil<std::chrono::milliseconds>(
      std::min<base::Duration>(deadline.remaining(), kLongestPoll));
  return static_cast<int>(remaining.count());
}

// The bytes of one read: a child that writes without end must not keep this side from checking the
// time. Also the most that a pipe can hold when the child has ended.
constexpr std::size_t kReadAtOnce = std::size_t{1} << 20U;

// One of the child's outputs.
struct Stream {
  FileDescriptor file;
  std::string* kept;
  std::size_t limit;
  bool truncated = false;

  // Reads what is available. Closes the file at the end, or on an error, which retries would not
  // cure.
  void drain() {
    std::array<char, 65536> buffer;
    for (std::size_t rest = kReadAtOnce; file.valid() && rest > 0; rest -= buffer.size()) {
      const ssize_t count = ::read(file.number(), buffer.data(), buffer.size());
      if (count > 0) {
        keep({buffer.data(), static_cast<std::size_t>(count)});
      } else if (count < 0 && errno == EAGAIN) {
        return;
      } else if (count == 0 || errno != EINTR) {
        file.reset();
      }
    }
  }

  void keep(std::string_view text) {
    const std::size_t room = limit - std::min(limit, kept->size());
    kept->append(text.substr(0, room));
    truncated = truncated || text.size() > room;
  }
};

// Input for the child that is still to be written.
struct Input {
  FileDescriptor file;
  std::string_view rest;

  // Writes what fits. Closes the file after the last byte, or if the child stopped reading.
  void feed() {
    while (file.valid() && !rest.empty()) {
      const ssize_t count = ::write(file.number(), rest.data(), rest.size());
      if (count >= 0) {
        rest.remove_prefix(static_cast<std::size_t>(count));
      } else if (errno == EAGAIN) {
        return;
      } else if (errno != EINTR) {
        break;
      }
    }
    file.reset();
  }
};

// Wakes poll(2) when a stop is requested.
class StopSignal {
 public:
  StopSignal(FileDescriptor event, const base::StopToken& stop)
      : event_(std::move(event)),
        callback_(stop, [number = event_.number()] { ::eventfd_write(number, 1); }) {}
  [[nodiscard]] int descriptor() const noexcept { return event_.number(); }

 private:
  FileDescriptor event_;
  base::StopCallback callback_;
};

// Everything both sides need, created before the child, so that nothing can fail once it runs.
struct Plumbing {
  Pipe input;
  Pipe output;
  Pipe error_output;
  FileDescriptor stop_event;

  static base::Result<Plumbing> create() {
    CLEVER_ASSIGN(Pipe input, Pipe::create());
    CLEVER_ASSIGN(Pipe output, Pipe::create());
    CLEVER_ASSIGN(Pipe error_output, Pipe::create());
    CLEVER_TRY(internal::make_nonblocking(input.writing));
    CLEVER_TRY(internal::make_nonblocking(output.reading));
    CLEVER_TRY(internal::make_nonblocking(error_output.reading));
    FileDescriptor stop_event(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (!stop_event.valid()) return system_error(errno, "cannot create an event");
    return Plumbing{.input = std::move(input),
                    .output = std::move(output),
                    .error_output = std::move(error_output),
                    .stop_event = std::move(stop_event)};
  }
};

// A running program and this side of its streams. The Plumbing keeps the child's ends and closes
// them, so that only the child holds them and this side notices when they close.
class Run {
 public:
  Run(const ProcessOptions& options, Child child, Plumbing plumbing)
      : options_(options),
        child_(std::move(child)),
        input_{.file = std::move(plumbing.input.writing), .rest = options.standard_input},
        output_{.file = std::move(plumbing.output.reading),
                .kept = &result_.output,
                .limit = options.output_limit},
        error_output_{.file = std::move(plumbing.error_output.reading),
                      .kept = &result_.error_output,
                      .limit = options.output_limit},
        stop_(std::move(plumbing.stop_event), options.stop) {}
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  base::Result<ProcessResult> to_the_end() {
    const NoPipeSignal no_pipe_signal;
    while (!ended_) {
      if (options_.stop.stop_requested()) return base::cancelled(name() + " was stopped");
      if (options_.deadline.passed()) {
        return base::deadline_exceeded(name() + " did not end in time and was killed");
      }
      step();
    }
    return result();
  }

 private:
  [[nodiscard]] const std::string& name() const { return options_.argv.front(); }

  void step() {
    std::array<pollfd, 5> events{{
        {.fd = child_.watch(), .events = POLLIN, .revents = 0},
        {.fd = stop_.descriptor(), .events = POLLIN, .revents = 0},
        // poll(2) ignores the negative number of a closed file.
        {.fd = input_.file.number(), .events = POLLOUT, .revents = 0},
        {.fd = output_.file.number(), .events = POLLIN, .revents = 0},
        {.fd = error_output_.file.number(), .events = POLLIN, .revents = 0},
    }};
    if (::poll(events.data(), events.size(), poll_timeout(options_.deadline)) < 0) return;
    if (events[2].revents != 0) input_.feed();
    if (events[3].revents != 0) output_.drain();
    if (events[4].revents != 0) error_output_.drain();
    ended_ = events[0].revents != 0;
  }

  ProcessResult result() {
    const int status = child_.finish();
    // The group has ended: its last output is in the pipes, and no more will come.
    output_.drain();
    error_output_.drain();
    result_.truncated = output_.truncated || error_output_.truncated;
    result_.exit_code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) {
      result_.signal = WTERMSIG(status);
      result_.exit_code = 128 + WTERMSIG(status);
    }
    return std::move(result_);
  }

  const ProcessOptions& options_;
  ProcessResult result_;
  Child child_;
  Input input_;
  Stream output_;
  Stream error_output_;
  bool ended_ = false;
  // Declared last: its callback must be gone before anything else is.
  StopSignal stop_;
};

}  // namespace

base::Result<ProcessResult> run_process(const ProcessOptions& options) {
  base::lock_rank::require_none("running a program");
  CLEVER_ASSIGN(Plumbing plumbing, Plumbing::create());
  const internal::ChildStreams streams{.input = plumbing.input.reading.number(),
                                       .output = plumbing.output.writing.number(),
                                       .error_output = plumbing.error_output.writing.number()};
  CLEVER_ASSIGN(Child child, Child::start(options, streams));
  Run run(options, std::move(child), std::move(plumbing));
  return run.to_the_end();
}

std::int64_t process_number() noexcept { return ::getpid(); }

void survive_hangup() noexcept {
  struct sigaction action{};
  action.sa_handler = [](int) {};
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGHUP, &action, nullptr);
}

}  // namespace clever::io
