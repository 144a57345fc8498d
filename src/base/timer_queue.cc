#include "base/timer_queue.h"

#include <optional>

namespace clever::base {
namespace {

// How long a due task waits before it is offered again to a full executor.
constexpr Duration kOfferAgainAfter = std::chrono::milliseconds(5);

}  // namespace

Timer::Timer(Timer&& other) noexcept
    : queue_(std::exchange(other.queue_, nullptr)), key_(other.key_) {}

Timer& Timer::operator=(Timer&& other) noexcept {
  if (this == &other) return *this;
  cancel();
  queue_ = std::exchange(other.queue_, nullptr);
  key_ = other.key_;
  return *this;
}

bool Timer::cancel() {
  TimerQueue* queue = std::exchange(queue_, nullptr);
  return queue != nullptr && queue->cancel(key_);
}

TimerQueue::TimerQueue(Clock& clock) : TimerQueue(clock, Options{}) {}
TimerQueue::TimerQueue(Clock& clock, Options options)
    : clock_(clock),
      limit_(options.limit),
      thread_("timers", [this](const StopToken& stop) { run(stop); }) {}
TimerQueue::~TimerQueue() = default;

Result<Timer> TimerQueue::after(Duration delay, Executor& executor, Task&& task) {
  return at(clock_.now() + delay, executor, std::move(task));
}

Result<Timer> TimerQueue::at(TimePoint due, Executor& executor, Task&& task) {
  const auto number = timers_.update([&](Timers& timers) -> std::optional<std::uint64_t> {
    if (timers.pending.size() >= limit_) return std::nullopt;
    timers.pending.emplace(Timer::Key{due, ++timers.last_number},
                           Pending{&executor, std::move(task)});
    return timers.last_number;
  });
  if (!number) return resource_exhausted("there are already " + std::to_string(limit_) + " timers");
  return Timer(*this, {due, *number});
}

std::size_t TimerQueue::size() const {
  return timers_.read([](const Timers& timers) { return timers.pending.size(); });
}

bool TimerQueue::cancel(Timer::Key key) {
  // Extracted, so that the task is destroyed without the lock.
  const auto node = timers_.update([&](Timers& timers) {
    const auto again = timers.offered_again.extract(key.second);
    if (!again.empty()) key.first = again.mapped();
    return std::make_unique<decltype(timers.pending)::node_type>(timers.pending.extract(key));
  });
  return !node->empty();
}

void TimerQueue::run(const StopToken& stop) {
  const auto earliest = [](const Timers& timers) -> std::optional<TimePoint> {
    if (timers.pending.empty()) return std::nullopt;
    return timers.pending.begin()->first.first;
  };
  while (!stop.stop_requested()) {
    hand_over(timers_.update([&](Timers& timers) {
      std::map<Timer::Key, Pending> due;
      const TimePoint now = clock_.now();
      while (!timers.pending.empty() && timers.pending.begin()->first.first <= now) {
        timers.offered_again.erase(timers.pending.begin()->first.second);
        due.insert(timers.pending.extract(timers.pending.begin()));
      }
      return due;
    }));
    const std::optional<TimePoint> next = timers_.read(earliest);
    const Deadline wake_at = next ? Deadline::at(clock_, *next) : Deadline::never();
    // Each outcome repeats the loop: a new earliest timer, the time reached, a stop.
    (void)timers_.wait(stop, wake_at,
                       [&](const Timers& timers) { return earliest(timers) != next; });
  }
}

void TimerQueue::hand_over(std::map<Timer::Key, Pending> due) {
  std::map<Timer::Key, Pending> refused;
  for (auto& [key, pending] : due) {
    const Result<void> posted = pending.executor->post(std::move(pending.task));
    if (posted.ok() || posted.error().code() != ErrorCode::kResourceExhausted) continue;
    refused.emplace(Timer::Key{clock_.now() + kOfferAgainAfter, key.second}, std::move(pending));
  }
  if (refused.empty()) return;
  timers_.update([&](Timers& timers) {
    for (const auto& [key, pending] : refused) timers.offered_again[key.second] = key.first;
    timers.pending.merge(refused);
  });
}

}  // namespace clever::base
