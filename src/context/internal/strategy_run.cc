#include "context/internal/strategy_run.h"

#include <exception>
#include <utility>

#include "base/plant.h"

namespace clever::context::internal {

StrategyRun::StrategyRun(std::shared_ptr<Strategy> strategy,
                         std::shared_ptr<const Question> question, std::size_t budget,
                         const CandidateLimits& limits, base::Clock& clock,
                         std::shared_ptr<StrategyBell> bell)
    : strategy_(std::move(strategy)),
      question_(std::move(question)),
      budget_(budget),
      limits_(limits),
      bell_(std::move(bell)),
      clock_(clock) {}

StrategyRun::Answer StrategyRun::ask_strategy() {
  const auto deadline = until_ == base::TimePoint::max() ? base::Deadline::never()
                                                         : base::Deadline::at(clock_, until_);
  auto proposed = strategy_->propose(*question_, budget_, stop_.token(), deadline);
  if (!proposed.ok()) return std::move(proposed).error();
  return check_candidates(std::move(proposed).value(), limits_);
}

std::optional<StrategyRun::Answer> StrategyRun::propose() noexcept {
  if (stop_.stop_requested()) return std::nullopt;
  try {
    return ask_strategy();
  } catch (const std::exception& thrown) {
    return base::internal_error(std::string("it threw: ") + thrown.what());
  } catch (...) {
    return base::internal_error("it threw an unknown exception");
  }
}

void StrategyRun::settle(std::optional<Answer> answer) noexcept {
  slot_.with([&](Slot& slot) {
    if (slot.stage != Stage::kOpen || !answer) return;
    slot.stage = Stage::kFilled;
    std::swap(slot.answer, answer);
  });
  bell_->ring();
}

std::optional<StrategyRun::Answer> StrategyRun::take() {
  auto answer = slot_.with([](Slot& slot) { return std::exchange(slot.answer, std::nullopt); });
  if (answer) clock_.close();
  return answer;
}

std::optional<StrategyRun::Answer> StrategyRun::give_up() {
  auto answer = slot_.with([](Slot& slot) {
    if (slot.stage == Stage::kOpen) slot.stage = Stage::kGivenUp;
    return std::exchange(slot.answer, std::nullopt);
  });
  clock_.close();
  if (!answer && !base::planted("executor.leaves_the_late_running")) stop_.request_stop();
  return answer;
}

}  // namespace clever::context::internal
