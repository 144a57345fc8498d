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

/// Names one wait for a place and the attempt after it; unique in a process.
enum class Ticket : std::uint64_t {};

struct TokenCount {
  std::int64_t input = 0;
  std::int64_t output = 0;
};

/// One attempt that wants to start.
struct PlaceRequest {
  Ticket ticket{};
  /// Calls of one flow are served in order, flows in turn. A plan's id.
  std::string flow{};
  /// The most that it will use, for the limits of tokens.
  TokenCount tokens{};
  /// After this the place is no longer wanted.
  base::TimePoint patience = base::TimePoint::max();
  /// Goes before the others of its flow, as it did before.
  bool again = false;
  /// Does not wait for a provider that is down, because another one can answer.
  bool leaves_if_unavailable = false;
  /// When its caller was last notified of a wait.
  std::optional<base::TimePoint> announced{};
};

/// Why a requested place was not given.
enum class Withdrawal : std::uint8_t { kPatience, kCancelled, kUnavailable };

/// Waits for a place. The callbacks come one after the other, never under a lock, on any thread
/// that moved the lane; they must not block. Any number of on_wait(), then one of the others.
class PlaceWaiter {
 public:
  virtual ~PlaceWaiter() = default;
  /// The attempt may start now; it must be settled.
  virtual void on_place() = 0;
  virtual void on_withdrawn(Withdrawal why) = 0;
  /// The wait is, or has become, longer than kLongWait. Repeated when its reason changes, and every
  /// half minute, but not within kLongWait of the last call.
  virtual void on_wait(const Wait& wait) = 0;
};

/// How an attempt ended.
struct Settlement {
  /// None after an answer.
  std::optional<FailureKind> failure{};
  std::optional<std::chrono::milliseconds> retry_after{};
  RateObservation rates{};
  /// The real usage, if the provider reported it.
  std::optional<TokenCount> used{};
};

/// The state of a lane, as a person sees it.
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

/// One lane of the governor: decides when attempts start. Thread-safe; shared ownership. Nothing
/// blocks, and no wait holds a thread: ten thousand waiting calls only cost memory.
class Lane {
 public:
  virtual ~Lane() = default;
  [[nodiscard]] virtual const LaneKey& key() const noexcept = 0;

  /// May call the waiter before it returns. `resource_exhausted` if too many calls wait already;
  /// then it never calls the waiter.
  virtual base::Result<void> acquire(PlaceRequest request, std::shared_ptr<PlaceWaiter> waiter) = 0;
  /// on_withdrawn(kCancelled) follows if the call still waited for its place; otherwise nothing
  /// happens.
  virtual void cancel(Ticket ticket) = 0;

  /// The answer has begun: a probe counts as successful before its end.
  virtual void begin(Ticket ticket) = 0;
  virtual void observe(Ticket ticket, const RateObservation& rates) = 0;
  /// Returns the place. Once per on_place().
  virtual void settle(Ticket ticket, const Settlement& settlement) = 0;

  /// When the provider may be tried again, if it is down now.
  [[nodiscard]] virtual std::optional<base::TimePoint> unavailable_until() const = 0;
  /// Why no call can begin within kLongWait, if that is known already: a limit is used up, the
  /// provider asked to wait or is down.
  [[nodiscard]] virtual std::optional<Wait> long_wait() const = 0;
  [[nodiscard]] virtual LaneView view() const = 0;
};

}  // namespace clever::provider
