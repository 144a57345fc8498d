#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>
#include <utility>

#include "base/lock_rank.h"
#include "confine/confined_process.h"
#include "confine/internal/channel.h"
#include "confine/internal/disk_watch.h"
#include "confine/internal/kept_output.h"
#include "confine/internal/remarks.h"
#include "confine/internal/stop_event.h"
#include "io/no_pipe_signal.h"

namespace clever::confine {
namespace {

using namespace internal;

// The bytes of one read: a command that writes without end must not keep this side from checking
// the time. Also the most that a pipe can hold when the command has ended.
constexpr std::size_t kReadAtOnce = std::size_t{1} << 20U;
// The length of the output shown when a command is stopped.
constexpr std::size_t kLastWords = 2000;

// One of the command's outputs.
struct Stream {
  io::FileDescriptor file;
  KeptOutput kept;

  // Reads what is available. Closes the file at the end, or on an error, which retries would not
  // cure.
  void drain() {
    std::array<char, 65536> buffer;
    for (std::size_t rest = kReadAtOnce; file.valid() && rest > 0; rest -= buffer.size()) {
      const ssize_t count = ::read(file.number(), buffer.data(), buffer.size());
      if (count > 0) {
        kept.add({buffer.data(), static_cast<std::size_t>(count)});
      } else if (count < 0 && errno == EAGAIN) {
        return;
      } else if (count == 0 || errno != EINTR) {
        file.reset();
      }
    }
  }
};

// Input for the command that is still to be written.
struct Input {
  io::FileDescriptor file;
  std::string_view rest;

  // Writes what fits. Closes the file after the last byte, or if the command stopped reading.
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

class Run {
 public:
  Run(const Command& command, ConfinedProcess& process, std::string_view input, std::size_t limit,
      const base::StopToken& stop, base::Deadline deadline, DiskWatch disk,
      io::FileDescriptor stop_event)
      : command_(command),
        process_(process),
        stop_(stop),
        deadline_(deadline),
        disk_(std::move(disk)),
        input_{.file = std::move(process.pipes().input), .rest = input},
        output_{.file = std::move(process.pipes().output), .kept = KeptOutput(limit)},
        error_{.file = std::move(process.pipes().error), .kept = KeptOutput(limit)},
        stopped_(std::move(stop_event), stop) {}
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  base::Result<void> prepare() const {
    CLEVER_TRY(make_nonblocking(input_.file));
    CLEVER_TRY(make_nonblocking(output_.file));
    return make_nonblocking(error_.file);
  }

  // The outputs close when no process of the command is left.
  base::Result<Output> to_the_end() {
    const io::NoPipeSignal no_pipe_signal;
    input_.feed();
    while (writes() || is_watched()) {
      if (stop_.stop_requested()) return ended(base::cancelled(name() + " was stopped"));
      if (deadline_.passed()) {
        return ended(base::deadline_exceeded(name() + " did not end in time and was killed"));
      }
      step();
    }
    auto ending = process_.wait(stop_, deadline_);
    if (!ending.ok()) return ended(std::move(ending).error());
    return result(std::move(ending).value());
  }

 private:
  [[nodiscard]] const std::string& name() const { return command_.argv.front(); }

  [[nodiscard]] bool writes() const { return output_.file.valid() || error_.file.valid(); }
  // A command may close its outputs and keep working.
  [[nodiscard]] bool is_watched() const {
    return !ended_ && !disk_remark_ && disk_.descriptor() >= 0 && process_.watch() >= 0;
  }

  void step() {
    std::array<pollfd, 6> events{{
        {.fd = stopped_.descriptor(), .events = POLLIN, .revents = 0},
        // poll(2) ignores the negative number of a closed file.
        {.fd = input_.file.number(), .events = POLLOUT, .revents = 0},
        {.fd = output_.file.number(), .events = POLLIN, .revents = 0},
        {.fd = error_.file.number(), .events = POLLIN, .revents = 0},
        {.fd = disk_remark_ ? -1 : disk_.descriptor(), .events = POLLIN, .revents = 0},
        {.fd = writes() ? -1 : process_.watch(), .events = POLLIN, .revents = 0},
    }};
    if (::poll(events.data(), events.size(), poll_timeout(deadline_)) < 0) return;
    if (events[1].revents != 0) input_.feed();
    if (events[2].revents != 0) output_.drain();
    if (events[3].revents != 0) error_.drain();
    if (events[4].revents != 0) look_at_disk();
    ended_ = events[5].revents != 0;
  }

  // Ends a command over its limit; the end of its outputs shows when.
  void look_at_disk() {
    disk_remark_ = disk_.look();
    if (disk_remark_) process_.kill();
  }

  // Kills everything; the last output may show what the command was doing.
  base::Error ended(const base::Error& why) {
    process_.kill();
    static_cast<void>(process_.wait());
    output_.drain();
    error_.drain();
    std::string words = error_.kept.last_lines(kLastWords);
    if (words.empty()) words = output_.kept.last_lines(kLastWords);
    return {why.code(),
            why.message() + (words.empty() ? "; it wrote nothing" : "; it last wrote:\n" + words)};
  }

  Output result(Ending ending) const {
    Output result{.ending = std::move(ending),
                  .output = output_.kept.text(),
                  .error_output = error_.kept.text(),
                  .truncated = output_.kept.truncated() || error_.kept.truncated()};
    if (disk_remark_) result.ending.remark = *disk_remark_;
    if (result.ending.exit_code != 0 && result.ending.remark.empty()) {
      result.ending.remark = remark_on(command_, result.error_output);
    }
    if (result.ending.exit_code != 0 && result.ending.remark.empty()) {
      result.ending.remark = remark_on(command_, result.output);
    }
    return result;
  }

  const Command& command_;
  ConfinedProcess& process_;
  const base::StopToken& stop_;
  const base::Deadline deadline_;
  DiskWatch disk_;
  std::optional<std::string> disk_remark_;
  bool ended_ = false;
  Input input_;
  Stream output_;
  Stream error_;
  // Declared last: its callback must be gone before anything else is.
  StopEvent stopped_;
};

}  // namespace

base::Result<Output> run(const Launcher& launcher, const Command& command,
                         std::string_view standard_input, std::size_t output_limit,
                         const base::StopToken& stop, base::Deadline deadline) {
  base::lock_rank::require_none("running a command");
  CLEVER_ASSIGN(io::FileDescriptor stop_event, StopEvent::create());
  CLEVER_ASSIGN(DiskWatch disk, DiskWatch::create(command));
  CLEVER_ASSIGN(const auto process, ConfinedProcess::start(launcher, command));
  Run run(command, *process, standard_input, output_limit, stop, deadline, std::move(disk),
          std::move(stop_event));
  CLEVER_TRY(run.prepare());
  return run.to_the_end();
}

}  // namespace clever::confine
