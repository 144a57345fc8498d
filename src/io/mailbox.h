#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "base/guarded.h"

namespace clever::io {

/// Passes items from any thread to one thread that sleeps in the kernel. A poster wakes it only if
/// it sleeps, so a busy receiver and a burst of posts cost no system call each.
///
/// Thread-safe; take(), try_sleep(), woke() and close() are for the receiver. Bounded by what its
/// posters have in flight.
template <class T>
class Mailbox {
 public:
  enum class Posted : std::uint8_t {
    kSeen,    // the receiver checks the mailbox before it sleeps
    kWake,    // the receiver sleeps: the poster must wake it
    kClosed,  // not posted
  };

  /// On kClosed `item` is unchanged.
  Posted post(T& item) {
    return state_.with([&](State& state) {
      if (state.closed) return Posted::kClosed;
      state.items.push_back(std::move(item));
      return std::exchange(state.asleep, false) ? Posted::kWake : Posted::kSeen;
    });
  }

  /// Everything posted, in order. `buffer` is empty and lends its memory.
  std::vector<T> take(std::vector<T> buffer = {}) {
    state_.with([&](State& state) { buffer.swap(state.items); });
    return buffer;
  }

  /// Returns true if nothing was posted: from now on a poster wakes the receiver, which calls
  /// woke() when it wakes for any reason.
  bool try_sleep() {
    return state_.with([](State& state) { return state.asleep = state.items.empty(); });
  }
  void woke() {
    state_.with([](State& state) { state.asleep = false; });
  }

  /// Closes the mailbox. Returns what was posted.
  std::vector<T> close() {
    return state_.with([](State& state) {
      state.closed = true;
      return std::exchange(state.items, {});
    });
  }

 private:
  struct State {
    std::vector<T> items;
    bool asleep = false;
    bool closed = false;
  };
  base::Guarded<State> state_;
};

}  // namespace clever::io
