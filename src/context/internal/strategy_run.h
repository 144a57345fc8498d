#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "base/guarded.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "context/internal/candidate_check.h"
#include "context/internal/strategy_bell.h"
#include "context/internal/strategy_clock.h"
#include "context/strategy.h"

namespace clever::context::internal {

/// One run of a strategy with everything that is its own: question, deadline, stop and result slot.
/// Shared by the assembly and by the thread that runs it, so that it outlives whichever gives up
/// first.
///
/// The slot is filled once or given up once, never both. Thread-safe.
class StrategyRun {
 public:
  using Answer = base::Result<CheckedCandidates>;

  StrategyRun(std::shared_ptr<Strategy> strategy, std::shared_ptr<const Question> question,
              std::size_t budget, const CandidateLimits& limits, base::Clock& clock,
              std::shared_ptr<StrategyBell> bell);

  /// Call before handing it to its thread.
  void limit(base::TimePoint until) { until_ = until; }

  // Called on the strategy's thread.

  /// The strategy's checked answer; nothing if the run was abandoned before. Catches every
  /// exception.
  [[nodiscard]] std::optional<Answer> propose() noexcept;
  /// Fills the slot, unless it was abandoned, and rings the bell.
  void settle(std::optional<Answer> answer) noexcept;

  // Called on the assembly's thread. Each ends the run for it: the clock is not used afterwards.

  /// The answer, if there is one.
  [[nodiscard]] std::optional<Answer> take();
  /// The answer, if there is one by now; otherwise abandons the run, and requests the strategy's
  /// stop.
  [[nodiscard]] std::optional<Answer> give_up();

 private:
  enum class Stage : std::uint8_t { kOpen, kFilled, kGivenUp };
  struct Slot {
    Stage stage = Stage::kOpen;
    std::optional<Answer> answer{};
  };
  [[nodiscard]] Answer ask_strategy();

  // Constant once it runs.
  const std::shared_ptr<Strategy> strategy_;
  const std::shared_ptr<const Question> question_;
  const std::size_t budget_;
  const CandidateLimits limits_;
  const std::shared_ptr<StrategyBell> bell_;
  base::TimePoint until_ = base::TimePoint::max();

  StrategyClock clock_;
  base::StopSource stop_;
  base::Guarded<Slot> slot_;
};

}  // namespace clever::context::internal
