#pragma once
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

#include "base/deadline.h"
#include "base/escape.h"
#include "base/result.h"
#include "base/stop_token.h"

namespace clever::base {

/// Guarded plus "wait until": every change wakes the waiters, so no notification can be forgotten,
/// and a predicate is only evaluated under the lock.
///
/// Thread-safe. A thread that sees a change through read() or update_when() may destroy the
/// Monitor: the thread that made the change is done with it.
template <class T, LockRank Rank = LockRank::kLeaf>
class Monitor {
 public:
  Monitor() = default;
  template <class... A>
  explicit Monitor(std::in_place_t, A&&... arguments) : value_(std::forward<A>(arguments)...) {}
  Monitor(const Monitor&) = delete;
  Monitor& operator=(const Monitor&) = delete;

  /// Runs f(T&) under the lock and wakes all waiters.
  template <class F>
  auto update(F&& f) {
    static_assert(Escapable<std::invoke_result_t<F, T&>>,
                  "update(): the result must be a value; a reference into the guarded object must "
                  "not outlive the lock");
    const MutexLock lock(mutex_);
    const NotifyOnExit notify{changed_};
    return std::invoke(std::forward<F>(f), value_);
  }

  template <class F>
  auto read(F&& f) const {
    static_assert(
        Escapable<std::invoke_result_t<F, const T&>>,
        "read(): the result must be a value; a reference into the guarded object must not "
        "outlive the lock");
    const MutexLock lock(mutex_);
    return std::invoke(std::forward<F>(f), value_);
  }

  /// Waits until predicate(const T&) holds, then runs f(T&) under the same hold of the lock and
  /// wakes all waiters. `cancelled` or `deadline_exceeded` (f did not run) if that comes first; a
  /// predicate that already holds wins over both.
  template <class P, class F>
  auto update_when(const StopToken& stop, Deadline deadline, P&& predicate, F&& f)
      -> Result<std::invoke_result_t<F, T&>> {
    using R = std::invoke_result_t<F, T&>;
    static_assert(Escapable<R>,
                  "update_when(): the result must be a value; a reference into the guarded object "
                  "must not outlive the lock");
    std::optional<StopCallback> on_stop;
    while (true) {
      {
        const MutexLock lock(mutex_);
        while (true) {
          if (std::invoke(predicate, std::as_const(value_))) {
            const NotifyOnExit notify{changed_};
            if constexpr (std::is_void_v<R>) {
              std::invoke(std::forward<F>(f), value_);
              return {};
            } else {
              return std::invoke(std::forward<F>(f), value_);
            }
          }
          if (stop.stop_requested()) return cancelled("stopped while waiting");
          if (deadline.passed()) return deadline_exceeded("the deadline passed while waiting");
          if (stop.can_stop() && !on_stop) break;
          deadline.wait(changed_, mutex_);
        }
      }
      // Registered only when it really waits, and without the lock, because the callback takes it.
      on_stop.emplace(stop, [this] {
        const MutexLock lock(mutex_);
        changed_.notify_all();
      });
    }
  }

  template <class P, class F>
  auto update_when(const StopToken& stop, P&& predicate, F&& f) {
    return update_when(stop, Deadline::never(), std::forward<P>(predicate), std::forward<F>(f));
  }

  /// Waits until predicate(const T&) holds.
  template <class P>
  Result<void> wait(const StopToken& stop, Deadline deadline, P&& predicate) {
    return update_when(stop, deadline, std::forward<P>(predicate), [](T&) {});
  }

 private:
  // Notifies before the lock is released: afterwards a waiter may have destroyed this object.
  struct NotifyOnExit {
    CondVar& changed;
    ~NotifyOnExit() { changed.notify_all(); }
  };

  mutable Mutex mutex_{Rank};
  CondVar changed_;
  T value_ CLEVER_GUARDED_BY(mutex_){};
};

}  // namespace clever::base
