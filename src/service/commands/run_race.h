#pragma once
// `agents run --race`: several agents work on one task, and their results are compared. Private to
// the module.
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "service/commands/run_plans.h"
#include "service/commands/run_request.h"
#include "service/report.h"

namespace clever::service {

inline constexpr std::size_t kMostRacers = 16;

/// "claude,codex:gpt-5". `invalid_argument` for less than two, a repeated or an empty name.
[[nodiscard]] base::Result<std::vector<Racer>> parse_racers(std::string_view text);
[[nodiscard]] std::string racer_name(const Racer& racer);

/// Which result is taken, and why. A value.
struct RaceChoice {
  /// Index of the racer; none: no result can be taken.
  std::optional<std::size_t> winner{};
  std::string why{};
};

/// Of results that are ready to apply and whose required validations passed, the cheapest; of
/// equal ones the first. Pure.
struct RaceResult {
  plan::State plan{};
  model::Microdollars cost = 0;
};
[[nodiscard]] RaceChoice choose_by_validation(const std::vector<RaceResult>& results);

/// The words for a model that is to choose: the task, and what each racer changed. At most 64 KiB.
[[nodiscard]] std::string review_words(const std::string& task, const std::vector<Racer>& racers,
                                       const std::vector<std::string>& diffs);
/// The racer that a model's answer names in a line "CHOICE: NAME". Pure.
[[nodiscard]] RaceChoice choice_in(std::string_view answer, const std::vector<Racer>& racers);

/// The unified diff of a plan; empty if it changed nothing.
[[nodiscard]] base::Result<std::string> race_diff(RunPlans& plans, const plan::State& plan,
                                                  const base::StopToken& stop);

/// Side by side: state, files, validations, cost. `plans` are the racers' in their order, then
/// perhaps that of the model that chose.
[[nodiscard]] base::Result<Report> race_report(RunPlans& plans, RunEnd end,
                                               const std::vector<Racer>& racers,
                                               const RaceChoice& choice);

}  // namespace clever::service
