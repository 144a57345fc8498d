#pragma once
#include <cstdint>
#include <functional>
#include <optional>

#include "base/clock.h"
#include "base/result.h"
#include "provider/governor/lane_key.h"
#include "provider/governor/rate_limit.h"

namespace clever::provider {

/// What a process gets of a lane's limits at once.
struct Lease {
  /// Whether anybody has had an answer from this lane. If not, the run of requests is one slot of
  /// cold_pace() (and there are no rates): processes that meet a provider for the first time do
  /// not do so all at once.
  bool known = false;
  /// What is known of the limits; none where there is none.
  PerMetered<std::optional<RateLimit>> rates{};
  /// Empty (count 0) where there is no limit or nothing was asked for.
  PerMetered<SlotRun> runs{};
  /// Another process was told to wait, or sees the provider down.
  base::TimePoint paused_until{};
  /// How many calls at the same time the provider bore last; none: nothing is known.
  std::optional<std::int64_t> window{};
};

/// What a process has learned. Only what is set is said.
struct LaneNews {
  /// An answer came; `rates` is what is known of the limits since.
  bool known = false;
  PerMetered<std::optional<RateLimit>> rates{};
  std::optional<base::TimePoint> paused_until{};
  std::optional<std::int64_t> window{};
};

/// The limits of all processes that share a store: they lease slots of one sequence per lane and
/// meter, so that together they never exceed it. Asked once per batch, never per call.
///
/// For each (lane, Metered) it keeps `next`, the time of the first slot not given out, and the
/// rate; a lease is take_slots() in one transaction. A lane's first known rate starts its sequence
/// after what cold_pace() gave out; a rate that changes leaves `next` as it is, so that what was
/// given out still counts. report() replaces the rates that it has (a limit that it does not
/// mention stays: an answer without headers does not lift it), sets `known` and the window, and
/// raises paused_until.
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
  /// `wanted` per meter; of what is not limited nothing is given. `done` is called exactly once, on
  /// any thread, possibly before this returns. After an error the governor asks again later.
  virtual void lease(const LaneKey& lane, const PerMetered<std::int64_t>& wanted, Done done) = 0;
  /// Must not fail: what cannot be written is forgotten, others learn it by themselves.
  virtual void report(const LaneKey& lane, const LaneNews& news) = 0;
};

}  // namespace clever::provider
