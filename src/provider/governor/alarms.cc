#include "provider/governor/alarms.h"

namespace clever::provider {
namespace {

class TimerAlarm final : public Alarm {
 public:
  TimerAlarm(base::TimerQueue& timers, base::Executor& executor, std::function<void()> ring)
      : timers_(timers),
        executor_(executor),
        ring_(std::make_shared<std::function<void()>>(std::move(ring))) {}

  void set(base::TimePoint at) override {
    auto timer = timers_.at(at, executor_, [ring = ring_] { (*ring)(); });
    if (timer.ok()) {
      timer_ = std::move(timer).value();
    } else {
      // No timer is left. Rings early instead: the owner sets the alarm again, so it may be late
      // but is never lost.
      (void)executor_.post([ring = ring_] { (*ring)(); });
    }
  }

 private:
  base::TimerQueue& timers_;
  base::Executor& executor_;
  const std::shared_ptr<std::function<void()>> ring_;
  base::Timer timer_;
};

}  // namespace

std::unique_ptr<Alarm> TimerAlarms::make(std::function<void()> ring) {
  return std::make_unique<TimerAlarm>(timers_, executor_, std::move(ring));
}

}  // namespace clever::provider
