#pragma once
#include <functional>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "base/monitor.h"
#include "base/plant.h"
#include "base/result.h"

namespace clever::base {

/// A value that is made on first use: once, by the first caller, while the others wait. It is made
/// without a lock, so it may do I/O; it must not ask for itself. If making it fails, by an error or
/// an exception, the next caller tries again.
///
///     empty ── a thread asks ─→ making ── made ─→ ready
///       ↑                          │
///       └───────── failed ─────────┘
///
/// Thread-safe. The value lives as long as this object, and longer while a caller holds it.
template <class T>
class Lazy {
 public:
  Lazy() = default;
  Lazy(const Lazy&) = delete;
  Lazy& operator=(const Lazy&) = delete;

  /// `make` returns a std::unique_ptr<T> or a Result of one.
  template <class Make>
  [[nodiscard]] Result<std::shared_ptr<T>> try_get(Make&& make) {
    if (auto ready = ready_or_claimed()) return ready;
    // Reset unless the value is there: others wait for it.
    Claim claim{*this};
    Result<std::unique_ptr<T>> made = std::invoke(std::forward<Make>(make));
    if (!made.ok()) return std::move(made).error();
    claim.value = std::move(made).value();
    return claim.value;
  }

  /// For a `make` that cannot fail: it returns a std::unique_ptr<T>.
  template <class Make>
  [[nodiscard]] T& get(Make&& make) {
    static_assert(std::is_same_v<std::invoke_result_t<Make>, std::unique_ptr<T>>);
    // The state keeps it alive.
    return *try_get(std::forward<Make>(make)).value();
  }

 private:
  struct State {
    bool making = false;
    std::shared_ptr<T> value{};
  };
  struct Claim {
    Lazy& lazy;
    std::shared_ptr<T> value{};
    ~Claim() {
      auto before = lazy.state_.update([this](State& state) {
        return std::exchange(state, {.making = false, .value = value}).value;
      });
      // With the planted fault a second value replaces the first: get() has returned that, so it
      // stays for good.
      if (planted("lazy.looks_then_makes")) {
        static_cast<void>(new (std::nothrow) std::shared_ptr<T>(std::move(before)));
      }
    }
  };

  // Null if the caller must make it.
  std::shared_ptr<T> ready_or_claimed() {
    if (planted("lazy.looks_then_makes")) {
      return state_.read([](const State& state) { return state.value; });
    }
    return state_
        .update_when(
            {}, Deadline::never(), [](const State& state) { return !state.making; },
            [](State& state) {
              state.making = state.value == nullptr;
              return state.value;
            })
        .value();
  }

  Monitor<State> state_;
};

}  // namespace clever::base
