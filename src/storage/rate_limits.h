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
  /// What is counted: the caller's number.
  std::int64_t unit = 0;
  /// So many in a span; none: there is no such limit.
  std::optional<std::int64_t> amount{};
  std::chrono::nanoseconds span{};
  std::chrono::nanoseconds pace{};
  std::chrono::nanoseconds grace{};

  friend bool operator==(const RateRow&, const RateRow&) = default;
};

/// The limits of models, shared by all processes: they take runs of slots from one sequence per
/// limit, so that together they never exceed it. Written once per run of slots and when something
/// new is learned, never per call.
///
/// Thread-safe. The engine must outlive it and the answers on their way.
class RateLimits {
 public:
  explicit RateLimits(Engine& engine) : engine_(engine) {}

  struct Wanted {
    std::int64_t unit = 0;
    std::int64_t count = 0;
  };
  /// What was taken; times are relative to the database's clock at that moment.
  struct Taken {
    struct Run {
      RateRow row{};
      /// May be in the past.
      std::chrono::nanoseconds first{};
      std::int64_t count = 0;
    };
    /// False: nobody has had an answer yet, and there is one slot of `unknown`.
    bool known = false;
    std::vector<Run> runs{};
    /// Limits of which nothing was wanted.
    std::vector<RateRow> others{};
    /// Zero or less: it is not paused.
    std::chrono::nanoseconds paused{};
  };
  using Done = std::function<void(base::Result<Taken>)>;

  /// Takes slots of each limit there is. Of a lane that nobody knows yet one slot is taken from the
  /// sequence `unknown`. `done` is called once, on any thread.
  void take(const std::string& lane, const RateRow& unknown, const std::vector<Wanted>& wanted,
            Done done);

  /// What is known of the lane's limits since an answer: each row with an amount replaces the one
  /// that was there; one without says that nothing was said, and only makes an unknown limit none.
  /// Slots that were taken stay taken.
  void learn(const std::string& lane, const std::vector<RateRow>& rows,
             std::function<void(base::Result<void>)> done);
  /// Nobody sends anything for so long, or for longer if somebody said so.
  void pause(const std::string& lane, std::chrono::nanoseconds length,
             std::function<void(base::Result<void>)> done);

 private:
  Engine& engine_;
};

}  // namespace clever::storage
