#pragma once
// What `agents run` and `plan drive` tell in the end. Private to the module.
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "base/result.h"
#include "plan/state.h"
#include "service/commands/run_plans.h"
#include "service/report.h"

namespace clever::service {

/// One plan: its document. Several: {plans[], usage}. The exit code is that of the plan that fared
/// worst.
[[nodiscard]] base::Result<Report> run_report(RunPlans& plans, RunEnd end);

/// What drives plans in the background: a process, or the worker that takes the job. A value.
struct Driver {
  std::int64_t process = 0;
  /// Where the process writes to.
  std::filesystem::path log{};
  std::optional<std::int64_t> job{};
};
[[nodiscard]] Report detached_report(const std::vector<plan::State>& plans, const Driver& driver);
/// The report if the plans exist and no process could be started for them.
[[nodiscard]] Report left_alone(const base::Error& error, const std::vector<plan::State>& plans);

/// Says where the answers come from, if from no model.
void note_answers(const Invocation& invocation, Report& report);

}  // namespace clever::service
