#pragma once
#include <functional>
#include <type_traits>
#include <utility>

#include "base/escape.h"
#include "base/mutex.h"

namespace clever::base {

/// A T that is accessible only while its lock is held: the lock and its data are one object. Under
/// the lock: no I/O, no callback, no logging, no waiting.
///
/// Thread-safe. Entering the same Guarded again from its own lambda aborts in test builds.
template <class T, LockRank Rank = LockRank::kLeaf>
class Guarded {
 public:
  Guarded() = default;
  template <class... A>
  explicit Guarded(std::in_place_t, A&&... arguments) : value_(std::forward<A>(arguments)...) {}
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;

  /// Runs f(T&) under the lock and returns its result by value.
  template <class F>
  auto with(F&& f) {
    static_assert(
        Escapable<std::invoke_result_t<F, T&>>,
        "with(): the result must be a value; a reference into the guarded object must not "
        "outlive the lock");
    const MutexLock lock(mutex_);
    return std::invoke(std::forward<F>(f), value_);
  }
  template <class F>
  auto with(F&& f) const {
    static_assert(
        Escapable<std::invoke_result_t<F, const T&>>,
        "with(): the result must be a value; a reference into the guarded object must not "
        "outlive the lock");
    const MutexLock lock(mutex_);
    return std::invoke(std::forward<F>(f), value_);
  }

 private:
  mutable Mutex mutex_{Rank};
  T value_ CLEVER_GUARDED_BY(mutex_){};
};

}  // namespace clever::base
