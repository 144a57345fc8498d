#pragma once
// The seam between the base library and the schedule explorer (test/explore).
//
// In test builds (CLEVER_TEST_HOOKS) every primitive of this library announces its next step to the
// Scheduler of the calling thread, if it has one: then the explorer decides who runs next. Threads
// without a Scheduler, and all threads of release builds, use the operating system's.

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace clever::base::schedule {

using TimePoint = std::chrono::steady_clock::time_point;

/// A thread's next step; shown in the trace of a failing schedule.
enum class Op : std::uint8_t {
  kStart,
  kLock,
  kTryLock,
  kWait,
  kNotify,
  kLoad,
  kStore,
  kUpdate,
  kSpawn,
  kJoin,
  kHandOver,
  kYield,
  kExit,
};

#if CLEVER_TEST_HOOKS

/// Implemented by the explorer. Only the thread that may run now calls it.
class Scheduler {
 public:
  virtual ~Scheduler() = default;

  /// A scheduling point: another thread may run before this returns.
  virtual void point(Op op, const void* object) = 0;

  /// Stops the caller until a wake of `object` reaches it (true) or virtual time reaches `until`
  /// (false). Nothing else runs between the call and the caller being parked.
  virtual bool park(Op op, const void* object, std::optional<TimePoint> until) = 0;
  virtual void wake_one(const void* object) = 0;
  virtual void wake_all(const void* object) = 0;

  /// Virtual time. It moves only when a parked thread's `until` is reached.
  virtual TimePoint now() = 0;

  /// Starts a thread of the explorer that runs `entry`; `identity` names it for join().
  virtual void start(std::string name, const void* identity,
                     std::move_only_function<void()> entry) = 0;
  /// Parks the caller until that thread has finished.
  virtual void join(const void* identity) = 0;
};

/// The explorer of the calling thread, or nullptr.
[[nodiscard]] Scheduler* current() noexcept;
/// The explorer's own threads call it when they begin and end.
void set_current(Scheduler* scheduler) noexcept;

inline void point(Op op, const void* object) {
  if (auto* scheduler = current()) [[unlikely]]
    scheduler->point(op, object);
}

#else

inline void point(Op, const void*) {}

#endif

}  // namespace clever::base::schedule
