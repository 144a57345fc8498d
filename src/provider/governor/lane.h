#pragma once
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/circuit_breaker.h"
#include "base/clock.h"
#include "base/result.h"
#include "provider/failure.h"
#include "provider/governor/lane_key.h"
#include "provider/governor/wait.h"
#include "provider/rate_observation.h"

namespace clever::provider {

/// Names one wait for a place and the attempt that follows it; never used twice in a process.
enum class Ticket : std::uint64_t {};

struct TokenCount {
  std::int64_t input = 0;
  std::int64_t output = 0;
};

/// One attempt that wants to start.
struct PlaceRequest {
  Ticket ticket{};
  /// Whose turn it is: calls of one flow are served in order, flows in turn. A plan's id.
  std::string flow{};
  /// What it will use at most, for the limits of tokens.
  TokenCount tokens{};
  /// After this it is no longer wanted.
  base::TimePoint patience = base::TimePoint::max();
  /// Goes before the others of its flow, which it was before already.
  bool again = false;
  /// Does not wait for a provider that is down: there is another to turn to.
  bool leaves_if_unavailable = false;
  /// When its caller was last told of a wait.
  std::optional<base::TimePoint> told{};
};

/// Why a place that was asked for is not given.
enum class Withdrawal : std::uint8_t { kPatience, kCancelled, kUnavailable };

/// Who waits for a place. The calls come one after the other, never under a lock, on whatever
/// thread moved the lane; they must not block. Any number of on_wait(), then one of the others.
class PlaceWaiter {
 public:
  virtual ~PlaceWaiter() = default;
  /// The attempt may start, now; it must be settled.
  virtual void on_place() = 0;
  virtual void on_withdrawn(Withdrawal why) = 0;
  /// The wait is, or has become, longer than kLongWait. Again when its reason changes, and every
  /// half minute, but not within kLongWait of the last time.
  virtual void on_wait(const Wait& wait) = 0;
};

/// How an attempt ended.
struct Settlement {
  /// None: there is an answer.
  std::optional<FailureKind> failure{};
  std::optional<std::chrono::milliseconds> retry_after{};
  RateObservation rates{};
  /// What it really used, if the provider said so.
  std::optional<TokenCount> used{};
};

/// What a person sees of a lane.
struct LaneView {
  LaneKey key{};
  std::size_t queued = 0;
  std::size_t running = 0;
  std::int64_t window = 0;
  std::optional<std::int64_t> requests_per_minute{};
  std::optional<std::int64_t> tokens_per_minute{};
  base::TimePoint paused_until{};
  base::Circuit::View circuit{};
};

/// One lane of the governor: decides when attempts start. Thread-safe; lives as long as somebody
/// holds it. Nothing blocks, and nothing waits on a thread: ten thousand that wait cost memory.
class Lane {
 public:
  virtual ~Lane() = default;
  [[nodiscard]] virtual const LaneKey& key() const noexcept = 0;

  /// The waiter may be called before this returns. `resource_exhausted` if too many wait already;
  /// then it is not called at all.
  virtual base::Result<void> acquire(PlaceRequest request, std::shared_ptr<PlaceWaiter> waiter) = 0;
  /// on_withdrawn(kCancelled) follows if the place was still waited for; else nothing happens.
  virtual void cancel(Ticket ticket) = 0;

  /// The answer has begun: whoever probes need not wait for its end.
  virtual void begin(Ticket ticket) = 0;
  virtual void observe(Ticket ticket, const RateObservation& rates) = 0;
  /// Gives the place back. Once per on_place().
  virtual void settle(Ticket ticket, const Settlement& settlement) = 0;

  /// When the provider may be tried again, if it is down now.
  [[nodiscard]] virtual std::optional<base::TimePoint> unavailable_until() const = 0;
  [[nodiscard]] virtual LaneView view() const = 0;
};

}  // namespace clever::provider
