#pragma once
#include <cstdint>
#include <functional>
#include <optional>

#include "base/clock.h"
#include "base/result.h"
#include "provider/governor/lane_key.h"
#include "provider/governor/rate_limit.h"

namespace clever::provider {

/// A process's part of a lane's limits.
struct Lease {
  /// Whether any process has had an answer from this lane. If not, the run of requests is one slot
  /// of cold_pace() (and there are no rates), so that processes do not all meet a new provider at
  /// once.
  bool known = false;
  /// The known limits; none for an unlimited meter.
  PerMetered<std::optional<RateLimit>> rates{};
  /// Empty (count 0) for unlimited meters, or if nothing was requested.
  PerMetered<SlotRun> runs{};
  /// Set if another process was asked to wait by the provider, or found it down.
  base::TimePoint paused_until{};
  /// How many concurrent calls the provider bore last; none if unknown.
  std::optional<std::int64_t> window{};
};

/// What a process has learned. Unset fields report nothing.
struct LaneNews {
  /// An answer came; `rates` holds the limits known since.
  bool known = false;
  PerMetered<std::optional<RateLimit>> rates{};
  std::optional<base::TimePoint> paused_until{};
  std::optional<std::int64_t> window{};
};

/// The limits of all processes that share a store: they lease slots of one sequence per lane and
/// meter, so that together they never exceed it. Called once per batch, never per call.
///
/// For each (lane, Metered) it keeps `next`, the time of the first slot not given out, and the
/// rate; a lease is take_slots() in one transaction. A lane's first known rate starts its sequence
/// after the slots of cold_pace(); a changed rate leaves `next` as it is, so that given slots still
/// count. report() replaces the rates that it has (an answer without headers does not lift a
/// limit), sets `known` and the window, and raises paused_until.
///
/// Times are of the local clock. An implementation over a database computes with the database's
/// time and subtracts the offset it sees (now there at the statement - now here after it), so that
/// an error makes slots later, never earlier.
///
/// Thread-safe. Never blocks, and is never called under a lock.
class SharedLimits {
 public:
  virtual ~SharedLimits() = default;
  using Done = std::function<void(base::Result<Lease>)>;
  /// `wanted` per meter; an unlimited meter gets nothing. Calls `done` exactly once, on any thread,
  /// possibly before it returns. After an error the governor asks again later.
  virtual void lease(const LaneKey& lane, const PerMetered<std::int64_t>& wanted, Done done) = 0;
  /// Must not fail: news that cannot be written is dropped, and others learn it themselves.
  virtual void report(const LaneKey& lane, const LaneNews& news) = 0;
};

}  // namespace clever::provider
