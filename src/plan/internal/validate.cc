#include "plan/internal/validate.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "model/automation.h"
#include "model/decision_events.h"
#include "plan/internal/changes.h"
#include "plan/internal/effect_data.h"
#include "plan/internal/execute.h"
#include "plan/internal/refuse.h"
#include "plan/internal/strategize.h"
#include "plan/internal/words.h"

namespace clever::plan {
namespace {

using model::Phase;
using model::PlanState;
using model::ValidationResult;

constexpr std::size_t kMostChecksNamed = 5;
// Limits the output of failed validations in the prompt of the fixing step.
constexpr std::size_t kMostOutput = 16'000;
constexpr std::string_view kFixStep = "fix-";

// A person chose to apply this work without the validation.
bool is_excused(const State& state, const std::string& name) {
  return state.phase == Phase::kApply && state.apply &&
         std::ranges::find(state.apply->without, name) != state.apply->without.end();
}

std::vector<ValidationResult> failed_results(const State& state) {
  std::vector<ValidationResult> failed;
  if (!state.validation) return failed;
  std::ranges::copy_if(state.validation->results, std::back_inserter(failed),
                       [&](const ValidationResult& one) {
                         return one.required && !one.passed && !is_excused(state, one.name);
                       });
  return failed;
}

// The failures that the work itself caused.
std::vector<ValidationResult> mendable_results(const State& state) {
  std::vector<ValidationResult> failed = failed_results(state);
  std::erase_if(failed, [](const ValidationResult& one) { return !one.ran; });
  return failed;
}

// Quotes a name for a shell.
std::string shell_word(const std::string& name) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:";
  if (!name.empty() && name.find_first_not_of(kPlain) == std::string::npos) return name;
  std::string text = "'";
  for (const char c : name) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

// "tests (exit code 1), lint (timed out after 60 s)"
std::string failed_names(const std::vector<ValidationResult>& failed) {
  std::string names;
  for (std::size_t i = 0; i < failed.size() && i < kMostChecksNamed; ++i) {
    names += (i == 0 ? "" : ", ") + failed[i].name + " (" +
             words::beginning(failed[i].outcome, 200) + ")";
  }
  if (failed.size() > kMostChecksNamed) {
    names += " and " + std::to_string(failed.size() - kMostChecksNamed) + " more";
  }
  return names;
}

std::string said_of(const std::vector<ValidationResult>& results, std::string_view one,
                    std::string_view many) {
  if (results.empty()) return {};
  const bool single = results.size() == 1;
  return (single ? "validation " : "validations ") + failed_names(results) + " " +
         std::string(single ? one : many);
}

std::string fix_words(const State& state) {
  const auto failed = mendable_results(state);
  std::string text =
      "The work was checked, and did not pass. Mend what is wrong: the same checks are run again "
      "afterwards. Change a check itself only if the task asks for that.";
  for (const ValidationResult& one : failed) {
    text += "\n\n" + one.name + ": " + one.outcome + "\n";
    const std::size_t room = kMostOutput / failed.size();
    text += one.output.empty() ? "(it wrote nothing)" : words::ending(one.output, room);
  }
  return text;
}

model::DecisionId record_response(Draft& draft, const std::string& chosen) {
  const State& state = draft.state();
  const auto id = draft.make_id<model::DecisionId>();
  draft.add(model::DecisionRecorded{
      .id = id,
      .parent = state.strategy_decision ? state.strategy_decision : state.root_decision,
      .kind = model::DecisionKind::kValidationResponse,
      .question = "What follows from this: " + what_did_not_pass(state) + "?",
      .chosen = chosen,
      .alternatives = {"mend the work", "revise the strategy", "leave it to a person"},
      .context = state.context});
  return id;
}

// Work that a person chose, wrote or rolled back to is not changed without them.
bool is_chosen(const State& state) {
  const bool reviewed = !state.checkpoints.empty() && state.checkpoints.back().why == "review";
  return reviewed || state.has_unfinished_steps();
}

bool can_fix(const State& state) {
  return !mendable_results(state).empty() && state.settings.takes_words() &&
         state.fixes < state.settings.control.fixes && !is_chosen(state);
}

bool can_land(const State& state) {
  const auto& digest = state.changeset.digest;
  return digest && !is_nothing(*digest) && state.conflicts.empty();
}

std::string override_words(const State& state) {
  std::string without;
  for (const ValidationResult& one : failed_results(state)) {
    without += " --without-validation " + shell_word(one.name);
  }
  return command_line(state, "apply", without) + " applies it anyway";
}

void fix(Draft& draft) {
  const State& state = draft.state();
  const auto number = 1 + std::ranges::count_if(state.steps, [](const Step& step) {
                        return step.definition.id.starts_with(kFixStep);
                      });
  const std::string id = std::string(kFixStep) + std::to_string(number);
  const std::string words = fix_words(state);
  const model::DecisionId decision = record_response(
      draft, "mend the work: step " + id + ", attempt " + std::to_string(state.fixes + 1) + " of " +
                 std::to_string(state.settings.control.fixes));
  draft.add(model::StepAdded{.step = {.id = id,
                                      .title = "Mend what its checks found",
                                      .detail = words,
                                      .depends_on = std::vector<std::string>()},
                             .decision = decision});
  open_changeset(draft);
  advance(draft);
}

bool can_revise(const State& state) {
  return !mendable_results(state).empty() && !state.settings.direct && !is_chosen(state) &&
         state.effects.empty() && state.settings.uses_model_for(true) &&
         state.reversions < kMostReversions &&
         !model::asks(model::automation_of(state.settings).reversion);
}

// Prompts that arrived while the checks ran are still to be done.
bool work_on_prompts(Draft& draft) {
  const State& state = draft.state();
  if (state.pending_prompts.empty() || !state.settings.takes_words()) return false;
  draft.add(model::StepAdded{.step = {.id = "prompt-" + std::to_string(state.prompts.size()),
                                      .title = "What the person asked for last",
                                      .depends_on = std::vector<std::string>()},
                             .decision = state.decisions.back().id});
  advance(draft);
  return true;
}

void seal(Draft& draft) {
  open_changeset(draft);
  draft.request(EffectKind::kSeal, seal_data(draft.state().changeset.id));
}

void follow_in_execute(Draft& draft) {
  const bool failed = validation_failed(draft.state());
  if (failed && can_fix(draft.state())) return fix(draft);
  if (work_on_prompts(draft)) return;
  if (failed && can_revise(draft.state())) {
    const std::string why = what_did_not_pass(draft.state());
    record_response(draft, "revise the strategy");
    return revert(draft, why);
  }
  if (failed) record_response(draft, "leave it to a person");
  seal(draft);
}

}  // namespace

bool must_be_validated(const State& state) {
  if (state.parent || state.settings.control.validations.empty()) return false;
  if (!state.base || state.tree == state.base->tree || !state.conflicts.empty()) return false;
  return !state.validation || state.validation->tree != state.tree ||
         !failed_results(state).empty();
}

std::string what_did_not_pass(const State& state) {
  std::vector<ValidationResult> not_run = failed_results(state);
  std::erase_if(not_run, [](const ValidationResult& one) { return one.ran; });
  const std::string failed = said_of(mendable_results(state), "failed", "failed");
  const std::string left = said_of(not_run, "was not run", "were not run");
  return failed + (failed.empty() || left.empty() ? "" : "; ") + left;
}

bool validation_failed(const State& state) {
  return must_be_validated(state) && state.validation && state.validation->tree == state.tree;
}

std::string validation_reason(const State& state) {
  const std::string again = command_line(state, "resume") + " runs the validations";
  if (!validation_failed(state)) return "it was not validated yet; " + again;
  std::string reason = what_did_not_pass(state) + "; ";
  if (state.settings.takes_words() && !mendable_results(state).empty()) {
    reason += command_line(state, "prompt", " TEXT") + " asks for a fix, ";
  }
  reason += again + " again, " + command_line(state, "diff") + " shows the work";
  return can_land(state) ? reason + ", " + override_words(state) : reason;
}

void validate_then(Draft& draft, EffectKind then) {
  if (must_be_validated(draft.state())) {
    draft.request(EffectKind::kValidate, validate_data(draft.state().tree, then));
  } else if (then == EffectKind::kApply) {
    draft.request(EffectKind::kApply);
  } else {
    seal(draft);
  }
}

void follow_validation(Draft& draft, EffectKind then) {
  if (draft.state().phase == Phase::kExecute) return follow_in_execute(draft);
  if (then != EffectKind::kApply) return seal(draft);
  if (must_be_validated(draft.state())) {
    draft.move(PlanState::kConstrained, validation_reason(draft.state()));
  } else {
    draft.request(EffectKind::kApply);
  }
}

}  // namespace clever::plan
