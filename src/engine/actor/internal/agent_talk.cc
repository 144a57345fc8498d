#include "engine/actor/internal/agent_talk.h"

#include <array>
#include <memory>
#include <optional>
#include <utility>

#include "engine/agents/agent_failure.h"
#include "io/descriptor_wait.h"

namespace clever::engine::internal {
namespace {

using confine::ConfinedProcess;

constexpr std::size_t kKept = std::size_t{64} << 10U;
// Limits a program that floods its output, so that this side still checks the time and its disk
// does not fill.
constexpr std::uint64_t kMostOutput = std::uint64_t{1} << 30U;
constexpr int kLookAgainMs = 100;
constexpr std::chrono::seconds kTick{1};

/// Keeps the end of one stream's output.
class Tail {
 public:
  void add(std::string_view bytes) {
    text_ += bytes;
    if (text_.size() > 2 * kKept) {
      text_.erase(0, text_.size() - kKept);
      cut_ = true;
    }
  }
  [[nodiscard]] bool cut() const { return cut_; }
  [[nodiscard]] const std::string& text() const { return text_; }
  // Not what was meant for programs.
  [[nodiscard]] std::string last_words() const { return meaningful_end(text_); }

 private:
  std::string text_{};
  bool cut_ = false;
};

class Conversation {
 public:
  Conversation(const AgentTalkOptions& options, const confine::Command& command,
               ConfinedProcess& process, AgentTalk& talk, const base::StopToken& stop,
               base::Deadline deadline, io::Bell bell)
      : options_(options),
        command_(command),
        process_(process),
        talk_(talk),
        stop_(stop),
        deadline_(deadline),
        pipes_(std::move(process.pipes())),
        quiet_(base::Deadline::after(options.clock, options.silence)),
        tick_(base::Deadline::after(options.clock, kTick)),
        bell_(std::move(bell)),
        wake_(stop, [this] { bell_.ring(); }) {}

  base::Result<confine::Output> to_the_end() {
    for (const io::FileDescriptor* file : {&pipes_.input, &pipes_.output, &pipes_.error}) {
      CLEVER_TRY(io::make_nonblocking(*file));
    }
    while (pipes_.output.valid() || pipes_.error.valid()) {
      if (auto wrong = look_at_time(); !wrong.ok()) return ended(wrong.error());
      if (is_leaving_ && grace_->passed()) break;
      if (auto wrong = round(); !wrong.ok()) return ended(wrong.error());
    }
    return output();
  }

 private:
  [[nodiscard]] const std::string& name() const { return command_.argv.front(); }

  base::Result<void> look_at_time() {
    if (deadline_.passed()) {
      return base::deadline_exceeded(name() + " did not end in time and was killed" +
                                     talk_.waits_for());
    }
    mark_time();
    if (stop_.stop_requested() && !was_told_) {
      was_told_ = true;
      if (!talk_.on_stop()) return stopped();
      grace_ = base::Deadline::after(options_.clock, options_.grace);
    }
    if (was_told_ && grace_->passed()) return stopped();
    if (talk_.has_ended() && !is_leaving_) {
      is_leaving_ = true;
      grace_ = base::Deadline::after(options_.clock, options_.grace);
      pipes_.input.reset();
    }
    return {};
  }
  void mark_time() {
    if (tick_.passed()) {
      tick_ = base::Deadline::after(options_.clock, kTick);
      if (options_.on_tick) options_.on_tick(errors_.text());
    }
    if (is_quiet_ || !quiet_.passed()) return;
    is_quiet_ = true;
    if (options_.on_silence) options_.on_silence();
  }
  void hear_something() {
    is_quiet_ = false;
    quiet_ = base::Deadline::after(options_.clock, options_.silence);
  }
  [[nodiscard]] base::Error stopped() const { return base::cancelled(name() + " was stopped"); }

  base::Result<void> round() {
    if (rest_.empty() && pipes_.input.valid()) rest_ = talk_.take_output();
    if (rest_.empty() && talk_.is_silent()) pipes_.input.reset();
    const bool writes = pipes_.input.valid() && !rest_.empty();
    std::array<io::Awaited, 4> files{
        io::Awaited{.file = &bell_.descriptor()},
        io::Awaited{.file = pipes_.output.valid() ? &pipes_.output : nullptr},
        io::Awaited{.file = pipes_.error.valid() ? &pipes_.error : nullptr},
        io::Awaited{.file = writes ? &pipes_.input : nullptr, .to_write = true}};
    CLEVER_TRY(io::wait_for_any(files, kLookAgainMs));
    if (files[0].ready) bell_.silence();
    if (files[3].ready) write();
    if (files[2].ready) hear_errors();
    if (files[1].ready) return hear();
    return {};
  }

  // If the program stops reading, it is about to end; the end of its output follows.
  void write() {
    const auto count = io::write_some(pipes_.input, rest_);
    if (!count.ok()) {
      rest_.clear();
      pipes_.input.reset();
      return;
    }
    rest_.erase(0, *count);
  }

  base::Result<void> hear() {
    const auto count = io::read_some(pipes_.output, buffer_);
    if (count.ok() && !count->has_value()) return {};
    if (!count.ok() || **count == 0) {
      pipes_.output.reset();
      return {};
    }
    const std::string_view bytes(buffer_.data(), **count);
    hear_something();
    words_.add(bytes);
    heard_ += bytes.size();
    if (heard_ > kMostOutput) return base::resource_exhausted(name() + " wrote more than 1 GiB");
    return talk_.on_output(bytes);
  }
  void hear_errors() {
    const auto count = io::read_some(pipes_.error, buffer_);
    if (count.ok() && !count->has_value()) return;
    if (!count.ok() || **count == 0) {
      pipes_.error.reset();
      return;
    }
    hear_something();
    errors_.add({buffer_.data(), **count});
  }

  base::Error ended(const base::Error& why) {
    process_.kill();
    static_cast<void>(process_.wait());
    if (pipes_.error.valid()) hear_errors();
    std::string last = errors_.last_words();
    if (last.empty()) last = words_.last_words();
    return {why.code(),
            why.message() + (last.empty() ? "; it wrote nothing" : "; it last wrote:\n" + last)};
  }

  base::Result<confine::Output> output() {
    if (is_leaving_) process_.kill();
    auto ending = process_.wait(stop_, deadline_);
    if (!ending.ok()) return ended(ending.error());
    return confine::Output{.ending = std::move(ending).value(),
                           .output = words_.text(),
                           .error_output = errors_.text(),
                           .truncated = words_.cut() || errors_.cut()};
  }

  const AgentTalkOptions& options_;
  const confine::Command& command_;
  ConfinedProcess& process_;
  AgentTalk& talk_;
  const base::StopToken& stop_;
  const base::Deadline deadline_;
  ConfinedProcess::Pipes pipes_;
  // The times at which the agent counts as silent and at which the next tick is due.
  base::Deadline quiet_;
  base::Deadline tick_;
  bool is_quiet_ = false;
  bool was_told_ = false;
  bool is_leaving_ = false;
  std::optional<base::Deadline> grace_{};
  std::string rest_{};
  std::uint64_t heard_ = 0;
  Tail words_{};
  Tail errors_{};
  std::array<char, 65'536> buffer_{};
  io::Bell bell_;
  // Declared last, so that the callback is removed first.
  base::StopCallback wake_;
};

}  // namespace

base::Result<confine::Output> talk_with(const AgentTalkOptions& options,
                                        const confine::Command& command, AgentTalk& talk,
                                        const base::StopToken& stop, base::Deadline deadline) {
  CLEVER_ASSIGN(io::Bell bell, io::Bell::create());
  CLEVER_ASSIGN(const auto process, ConfinedProcess::start(options.launcher, command));
  const auto conversation = std::make_unique<Conversation>(options, command, *process, talk, stop,
                                                           deadline, std::move(bell));
  return conversation->to_the_end();
}

}  // namespace clever::engine::internal
