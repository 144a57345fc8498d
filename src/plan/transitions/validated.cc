#include <algorithm>

#include "plan/internal/draft.h"
#include "plan/internal/effect_data.h"
#include "plan/internal/go_on.h"
#include "plan/internal/refuse.h"
#include "plan/internal/transitions.h"
#include "plan/internal/validate.h"
#include "plan/internal/words.h"

namespace clever::plan::transitions {
namespace {

constexpr std::size_t kMostOutput = 4'000;
constexpr std::size_t kLongestOutcome = 1'000;

// One result per requested validation; a missing one did not pass.
model::ValidationResult result_of(const model::Validation& validation, const Validated& command) {
  const auto found =
      std::ranges::find(command.results, validation.name, &model::ValidationResult::name);
  model::ValidationResult result;
  if (found != command.results.end()) {
    result = *found;
  } else {
    result.outcome = "it gave no result";
    result.ran = false;
  }
  result.name = validation.name;
  result.required = validation.required;
  result.outcome = words::beginning(result.outcome, kLongestOutcome);
  result.output = words::ending(result.output, kMostOutput);
  return result;
}

}  // namespace

base::Result<Decided> transition(const State& state, const Validated& command,
                                 const Circumstances& circumstances) {
  CLEVER_ASSIGN(const OpenEffect effect,
                open_effect(state, command.effect, {EffectKind::kValidate}));
  Draft draft(state, circumstances);
  draft.settle(command.effect, "done");
  model::ValidationsRan ran{.effect = command.effect, .tree = command.tree, .results = {}};
  for (const model::Validation& validation : state.settings.control.validations) {
    ran.results.push_back(result_of(validation, command));
  }
  draft.add(ran);
  if (finish_cancel(draft)) return draft.finish();
  follow_validation(draft, read_validate(effect.data));
  return draft.finish();
}

}  // namespace clever::plan::transitions
