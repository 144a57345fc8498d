#pragma once
#include <functional>
#include <utility>
#include <vector>

#include "base/guarded.h"

namespace clever::cli {

/// Carries news from other threads to the thread that draws; every put wakes it.
///
/// Thread-safe. Bounded by who fills it: news of one kind replace older ones that are not taken
/// yet, as `replaces` says.
template <class Event>
class EventBox {
 public:
  using Replaces = std::function<bool(const Event& newer, const Event& older)>;

  /// `wake` must not block.
  EventBox(std::function<void()> wake, Replaces replaces)
      : wake_(std::move(wake)), replaces_(std::move(replaces)) {}

  void post(Event event) {
    events_.with([&](std::vector<Event>& events) {
      std::erase_if(events, [&](const Event& older) { return replaces_(event, older); });
      events.push_back(std::move(event));
    });
    // After it is there: who is woken finds it.
    wake_();
  }

  /// In the order in which they were put.
  [[nodiscard]] std::vector<Event> take() {
    return events_.with([](std::vector<Event>& events) { return std::exchange(events, {}); });
  }

 private:
  const std::function<void()> wake_;
  const Replaces replaces_;
  base::Guarded<std::vector<Event>> events_;
};

}  // namespace clever::cli
