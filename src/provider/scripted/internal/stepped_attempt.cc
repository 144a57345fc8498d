#include "provider/scripted/internal/stepped_attempt.h"

#include <optional>
#include <utility>

#include "base/guarded.h"

namespace clever::provider::internal {
namespace {

using std::chrono::milliseconds;

Failure cancelled_failure(std::string message) {
  return {.kind = FailureKind::kCancelled, .message = std::move(message)};
}

// An attempt in progress. The timer or task that continues it keeps it alive; when that is dropped,
// the destructor reports the end to the sink.
//
//   waiting ── timer ──> delivering ── next delay ──> waiting …
//      │ cancel             │ the last step, or cancelled meanwhile
//      └────────────────────┴──> ended
class Play : public std::enable_shared_from_this<Play> {
 public:
  Play(AttemptPlan plan, std::shared_ptr<AttemptSink> sink, base::TimerQueue& timers,
       base::Executor& executor)
      : plan_(std::move(plan)), sink_(std::move(sink)), timers_(timers), executor_(executor) {}
  ~Play() {
    const bool ended = state_.with([](State& state) {
      state.timer.release();
      return std::exchange(state.phase, Phase::kEnded) == Phase::kEnded;
    });
    if (!ended) end(cancelled_failure("stopped before the answer was whole"));
  }
  Play(const Play&) = delete;
  Play& operator=(const Play&) = delete;

  void begin() {
    if (wait(plan_.first_byte)) deliver();
  }

  void cancel() {
    // Cancels the timer without the lock: its task may hold the last other reference.
    base::Timer timer;
    const bool mine = state_.with([&](State& state) {
      if (state.phase == Phase::kWaiting) {
        timer = std::move(state.timer);
        state.phase = Phase::kEnded;
        return true;
      }
      state.cancelled = true;
      return false;
    });
    timer.cancel();
    if (mine) end(cancelled_failure("cancelled"));
  }

 private:
  enum class Phase : std::uint8_t { kWaiting, kDelivering, kEnded };
  struct State {
    Phase phase = Phase::kDelivering;
    bool cancelled = false;
    // The timer fired before the waiting was recorded.
    bool due = false;
    base::Timer timer{};
  };
  enum class After : std::uint8_t { kWait, kGoOn, kCancelled };

  // Returns true if the delay is over already; then the caller delivers, so that the sink hears
  // nothing while the timers are in use.
  bool wait(milliseconds delay) {
    auto timer = timers_.after(delay, executor_, [self = shared_from_this()] { self->resume(); });
    if (!timer.ok()) {
      state_.with([](State& state) { state.phase = Phase::kEnded; });
      end(Failure{.kind = FailureKind::kOverloaded, .message = timer.error().sentence()});
      return false;
    }
    const After after = state_.with([&](State& state) {
      if (state.cancelled) {
        state.phase = Phase::kEnded;
        return After::kCancelled;
      }
      if (std::exchange(state.due, false)) return After::kGoOn;
      state.phase = Phase::kWaiting;
      state.timer = std::move(*timer);
      return After::kWait;
    });
    if (after == After::kCancelled) {
      timer->cancel();
      end(cancelled_failure("cancelled"));
    } else if (after == After::kGoOn) {
      timer->release();
    }
    return after == After::kGoOn;
  }

  void resume() {
    const bool mine = state_.with([](State& state) {
      state.due = state.phase == Phase::kDelivering;
      if (state.phase != Phase::kWaiting) return false;
      state.timer.release();
      state.phase = Phase::kDelivering;
      return true;
    });
    if (mine) deliver();
  }

  // Delivers all that is due, without a lock: only one thread is here at a time.
  void deliver() {
    if (!std::exchange(begun_, true) && plan_.begins) sink_->on_begin();
    while (next_ < plan_.steps.size() && !was_cancelled()) {
      const AttemptStep& step = plan_.steps[next_];
      if (step.delay > milliseconds{0} && !std::exchange(waited_, true) && !wait(step.delay))
        return;
      waited_ = false;
      sink_->on_delta(step.delta);
      ++next_;
    }
    finish();
  }

  [[nodiscard]] bool was_cancelled() const {
    return state_.with([](const State& state) { return state.cancelled; });
  }

  void finish() {
    const bool cancelled = state_.with([](State& state) {
      state.phase = Phase::kEnded;
      return state.cancelled;
    });
    if (cancelled) return end(cancelled_failure("cancelled"));
    sink_->on_end(std::move(plan_.end));
  }

  void end(Failure failure) { sink_->on_end({std::move(failure)}); }

  // Touched by the delivering thread only.
  AttemptPlan plan_;
  bool begun_ = false;
  bool waited_ = false;
  std::size_t next_ = 0;
  // Constant after construction.
  const std::shared_ptr<AttemptSink> sink_;
  base::TimerQueue& timers_;
  base::Executor& executor_;

  base::Guarded<State> state_;
};

class PlayHandle final : public Attempt {
 public:
  explicit PlayHandle(std::weak_ptr<Play> play) : play_(std::move(play)) {}
  void cancel() override {
    if (const auto play = play_.lock()) play->cancel();
  }

 private:
  const std::weak_ptr<Play> play_;
};

}  // namespace

std::unique_ptr<Attempt> start_attempt(AttemptPlan plan, std::shared_ptr<AttemptSink> sink,
                                       base::TimerQueue& timers, base::Executor& executor) {
  const auto play = std::make_shared<Play>(std::move(plan), std::move(sink), timers, executor);
  auto handle = std::make_unique<PlayHandle>(play);
  play->begin();
  return handle;
}

}  // namespace clever::provider::internal
