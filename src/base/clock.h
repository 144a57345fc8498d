#pragma once
#include <chrono>
#include <vector>

#include "base/mutex.h"

namespace clever::base {

using TimePoint = schedule::TimePoint;
using Duration = TimePoint::duration;
using WallTime = std::chrono::system_clock::time_point;

/// The program's time: a steady clock for durations and deadlines, a wall clock for people.
/// Injected everywhere, so that tests and the simulator control it.
///
/// Thread-safe; must outlive all its users.
class Clock {
 public:
  virtual ~Clock() = default;
  [[nodiscard]] virtual TimePoint now() const = 0;
  [[nodiscard]] virtual WallTime wall_now() const = 0;
  /// Blocks on `changed` until it is notified or this clock reaches `until`; may wake early.
  virtual void wait_until(CondVar& changed, Mutex& mutex, TimePoint until)
      CLEVER_REQUIRES(mutex) = 0;
};

/// The operating system's clocks (under the explorer: its virtual time).
class SystemClock final : public Clock {
 public:
  [[nodiscard]] TimePoint now() const override;
  [[nodiscard]] WallTime wall_now() const override;
  void wait_until(CondVar& changed, Mutex& mutex, TimePoint until) override CLEVER_REQUIRES(mutex);
};

/// A clock that only advance() moves. It returns after everything that was due has been woken, so
/// that a test needs no sleep.
class SimulatedClock final : public Clock {
 public:
  explicit SimulatedClock(WallTime start = WallTime{std::chrono::seconds{1'700'000'000}});

  [[nodiscard]] TimePoint now() const override;
  [[nodiscard]] WallTime wall_now() const override;
  void wait_until(CondVar& changed, Mutex& mutex, TimePoint until) override CLEVER_REQUIRES(mutex);

  void advance(Duration by);
  /// Moves only the wall clock, as an administrator or NTP would; backwards too.
  void set_wall(WallTime wall);
  /// How many threads wait for this clock, so that a test can advance once they do.
  [[nodiscard]] std::size_t waiters() const;

 private:
  struct Waiter {
    TimePoint until;
    CondVar* changed;
    Mutex* mutex;
  };
  // Wakes due waiters without blocking; returns false if one must be tried again.
  bool wake_due();

  // A Mutex, not a Guarded: wait_until() leaves the state while its thread waits on another lock.
  mutable Mutex mutex_{LockRank::kClock};
  TimePoint now_ CLEVER_GUARDED_BY(mutex_){};
  WallTime wall_ CLEVER_GUARDED_BY(mutex_);
  std::vector<Waiter*> waiters_ CLEVER_GUARDED_BY(mutex_);
};

}  // namespace clever::base
