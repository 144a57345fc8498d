#pragma once
#include <functional>
#include <utility>
#include <vector>

#include "base/guarded.h"

namespace clever::cli {

/// Carries news from other threads to the drawing thread; every put wakes it.
///
/// Thread-safe. Bounded by its writers: an item replaces an older untaken one of its kind, as
/// `replaces` decides.
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
    // Wakes after the item is stored, so that the reader finds it.
    wake_();
  }

  /// Takes all items in the order in which they were put.
  [[nodiscard]] std::vector<Event> take() {
    return events_.with([](std::vector<Event>& events) { return std::exchange(events, {}); });
  }

 private:
  const std::function<void()> wake_;
  const Replaces replaces_;
  base::Guarded<std::vector<Event>> events_;
};

}  // namespace clever::cli
