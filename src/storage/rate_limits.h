#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "storage/engine.h"

namespace clever::storage {

/// A limit as a sequence of slots in time. A value.
struct RateRow {
  /// The number of the limited unit, chosen by the caller.
  std::int64_t unit = 0;
  /// How many in a span; none if the limit does not exist.
  std::optional<std::int64_t> amount{};
  std::chrono::nanoseconds span{};
  std::chrono::nanoseconds pace{};
  std::chrono::nanoseconds grace{};

  friend bool operator==(const RateRow&, const RateRow&) = default;
};

/// The limits of models, shared by all processes: they take runs of slots from one sequence per
/// limit, so that together they never exceed it. Written once per run of slots and for news about a
/// limit, never per call.
///
/// Thread-safe. The engine must outlive it and its pending answers.
class RateLimits {
 public:
  explicit RateLimits(Engine& engine) : engine_(engine) {}

  struct Wanted {
    std::int64_t unit = 0;
    std::int64_t count = 0;
  };
  /// The slots taken; times are relative to the database's clock at that moment.
  struct Taken {
    struct Run {
      RateRow row{};
      /// May be in the past.
      std::chrono::nanoseconds first{};
      std::int64_t count = 0;
    };
    /// False if no process has had an answer yet; then there is one slot of `unknown`.
    bool known = false;
    std::vector<Run> runs{};
    /// Limits from which nothing was requested.
    std::vector<RateRow> others{};
    /// Zero or less if it is not paused.
    std::chrono::nanoseconds paused{};
  };
  using Done = std::function<void(base::Result<Taken>)>;

  /// Takes slots of each known limit. For an unknown lane takes one slot from the sequence
  /// `unknown`. `done` is called once, on any thread.
  void take(const std::string& lane, const RateRow& unknown, const std::vector<Wanted>& wanted,
            Done done);

  /// Records what an answer revealed about the lane's limits: a row with an amount replaces the
  /// stored one; a row without an amount only turns an unknown limit into none. Slots that were
  /// taken stay taken.
  void learn(const std::string& lane, const std::vector<RateRow>& rows,
             std::function<void(base::Result<void>)> done);
  /// Stops all sending in this lane for `length`, or for a longer pause that is set already.
  void pause(const std::string& lane, std::chrono::nanoseconds length,
             std::function<void(base::Result<void>)> done);

 private:
  Engine& engine_;
};

}  // namespace clever::storage
