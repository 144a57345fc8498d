#pragma once
// The schedule explorer: runs a test body whose threads take turns, one at a time, and decides at
// every scheduling point (base::Mutex, Guarded, Monitor, Atomic, Strand hand-overs, thread starts)
// who goes on. A race that a stress test meets once in a million runs is found on purpose, and the
// schedule that showed it can be replayed.
//
// The code under test needs no change: whatever it builds from clever::base is explored.

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "base/schedule.h"

namespace clever::explore {

enum class Strategy : std::uint8_t {
  kRandom,      // every choice uniform
  kPct,         // random priorities with a few random points where the running thread sinks
  kExhaustive,  // every schedule with at most `preemptions` preemptions, depth first
};

struct Options {
  Strategy strategy = Strategy::kRandom;
  /// At most so many schedules; an exhaustive search that ends earlier says so (Outcome::complete).
  std::size_t schedules = 1000;
  std::uint64_t seed = 1;
  /// kExhaustive: forced switches away from a thread that could go on, per schedule.
  /// kPct: how many priority changes.
  unsigned preemptions = 2;
  /// A schedule longer than this is a livelock.
  std::size_t max_steps = 20'000;
};

enum class Failure : std::uint8_t {
  kNone,
  kCheck,       // Run::require or Run::fail
  kDeadlock,    // everybody waits for a lock or a thread
  kLostWakeUp,  // everybody waits, somebody for a notification that will not come
  kLivelock,    // max_steps
  kException,   // a thread let one out
};
[[nodiscard]] std::string_view to_string(Failure failure);

/// What exploring found.
struct Outcome {
  Failure failure = Failure::kNone;
  std::string reason;
  /// How many schedules were run, the failing one included.
  std::size_t schedules = 0;
  /// Exhaustive only: there is no further schedule within the bound.
  bool complete = false;
  /// Names the failing schedule for --schedule=: "random/17", "pct/5", "path/0.1.0.2".
  std::string schedule;
  /// One line per step of the failing schedule: step, thread, operation, object.
  std::string trace;

  [[nodiscard]] bool failed() const { return failure != Failure::kNone; }
};
/// Prints the verdict, and for a failure the schedule, its trace and how to replay it.
std::ostream& operator<<(std::ostream& out, const Outcome& outcome);

/// One execution of the body under one schedule.
class Run {
 public:
  virtual ~Run() = default;
  /// Starts a controlled thread. The body must join() before it returns: what the threads use lives
  /// in it.
  virtual void thread(std::string name, std::function<void()> body) = 0;
  /// Waits for all threads started so far.
  virtual void join() = 0;
  /// Ends this schedule as a failure. Does not return: the schedule's threads are abandoned.
  [[noreturn]] virtual void fail(std::string reason) = 0;
  void require(bool holds, std::string_view what) {
    if (!holds) fail(std::string(what));
  }
};

/// Runs `body` under one schedule after the other until one fails or the options are used up. The
/// body builds its objects, starts threads, joins, and checks; it must be deterministic apart from
/// scheduling. After a failure its objects are leaked on purpose: they may be locked for ever.
[[nodiscard]] Outcome explore(const Options& options, const std::function<void(Run&)>& body);

/// The schedule named by --schedule=, if any: explore() then runs only that one.
void set_replay(std::string schedule);

/// A plain variable of a model, as unsynchronised code would use it: every access is a scheduling
/// point under the explorer. With real threads it is a relaxed atomic, so that a naive model loses
/// updates without being undefined behaviour.
template <class T>
class Racy {
 public:
  Racy() = default;
  explicit Racy(T value) : value_(value) {}
  [[nodiscard]] T read() const {
    base::schedule::point(base::schedule::Op::kLoad, this);
    return value_.load(std::memory_order_relaxed);
  }
  void write(T value) {
    base::schedule::point(base::schedule::Op::kStore, this);
    value_.store(value, std::memory_order_relaxed);
  }

 private:
  std::atomic<T> value_{};
};

/// The lock of a model, as other people's code would use it: explored, but without a rank, so that
/// a model may wait under it or take two in any order.
class PlainMutex {
 public:
  void lock();
  void unlock();

 private:
  std::mutex mutex_;
};

}  // namespace clever::explore

/// Fails the test unless exploring found nothing.
#define EXPECT_NO_FAILURE(...)                               \
  do {                                                       \
    const auto clever_outcome = (__VA_ARGS__);               \
    EXPECT_FALSE(clever_outcome.failed()) << clever_outcome; \
  } while (false)

/// Fails the test unless exploring found a failure of this kind.
#define EXPECT_FINDS(kind, ...)                                  \
  do {                                                           \
    const auto clever_outcome = (__VA_ARGS__);                   \
    EXPECT_EQ(clever_outcome.failure, (kind)) << clever_outcome; \
  } while (false)
