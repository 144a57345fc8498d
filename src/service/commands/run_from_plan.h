#pragma once
// `agents run --from-plan`: what a plan left when it ended becomes the start of a new one. Private
// to the module.
#include <string>

#include "base/result.h"
#include "git/project.h"
#include "plan/command.h"
#include "plan/state.h"
#include "service/context.h"
#include "service/plan/workplace.h"

namespace clever::service {

/// The plan that is continued. A value.
struct ContinuedPlan {
  plan::State state{};
  /// Its task.
  model::Message prompt{};
  /// Words about it for the next worker.
  std::string words{};
};

/// The plan that `word` means. `conflict` if it still works or changed nothing;
/// `invalid_argument` if it is of another project.
[[nodiscard]] base::Result<ContinuedPlan> continued_plan(const PlanDatabase& database,
                                                         const std::string& word,
                                                         const git::Project& project,
                                                         Context& context);

/// A plan with the task, the worker and the model of the earlier one, which only seals what that
/// one left. Its control settings are empty.
[[nodiscard]] plan::Create create_as_is(const ContinuedPlan& earlier);

}  // namespace clever::service
