#pragma once
#include <atomic>

#include "base/schedule.h"

namespace clever::base {

/// std::atomic in which every access is a scheduling point for the explorer. The member that uses
/// one has a comment naming what it publishes. Orders default to acquire and release.
template <class T>
class Atomic {
 public:
  constexpr Atomic() noexcept : value_(T{}) {}
  constexpr explicit Atomic(T value) noexcept : value_(value) {}
  Atomic(const Atomic&) = delete;
  Atomic& operator=(const Atomic&) = delete;

  [[nodiscard]] T load(std::memory_order order = std::memory_order_acquire) const {
    schedule::point(schedule::Op::kLoad, this);
    return value_.load(order);
  }
  void store(T value, std::memory_order order = std::memory_order_release) {
    schedule::point(schedule::Op::kStore, this);
    value_.store(value, order);
  }
  T exchange(T value, std::memory_order order = std::memory_order_acq_rel) {
    schedule::point(schedule::Op::kUpdate, this);
    return value_.exchange(value, order);
  }
  T fetch_add(T amount, std::memory_order order = std::memory_order_acq_rel) {
    schedule::point(schedule::Op::kUpdate, this);
    return value_.fetch_add(amount, order);
  }
  T fetch_sub(T amount, std::memory_order order = std::memory_order_acq_rel) {
    schedule::point(schedule::Op::kUpdate, this);
    return value_.fetch_sub(amount, order);
  }
  /// On failure `expected` becomes the present value.
  bool compare_exchange(T& expected, T desired) {
    schedule::point(schedule::Op::kUpdate, this);
    return value_.compare_exchange_strong(expected, desired, std::memory_order_acq_rel,
                                          std::memory_order_acquire);
  }

 private:
  std::atomic<T> value_;
};

}  // namespace clever::base
