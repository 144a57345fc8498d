#include <algorithm>

#include "model/decision_events.h"
#include "plan/internal/approval.h"
#include "plan/internal/draft.h"
#include "plan/internal/effect_data.h"
#include "plan/internal/go_on.h"
#include "plan/internal/refuse.h"
#include "plan/internal/talk.h"
#include "plan/internal/transitions.h"
#include "plan/internal/words.h"

namespace clever::plan::transitions {
namespace {

using model::Phase;
using model::PlanState;
using model::StepState;

base::Result<void> check_prompt(const State& state, const Prompt& command) {
  if (state.is_final() || state.state == PlanState::kCancelling) {
    return refuse(state, "it takes no more prompts", begin_anew(state));
  }
  if (state.phase == Phase::kApply &&
      (state.state == PlanState::kProcessing || state.state == PlanState::kQueued)) {
    return refuse(state, "it is being applied", "wait for its end, then prompt it");
  }
  CLEVER_TRY(check_not_ended(state));
  if (!state.settings.takes_words()) {
    return refuse(state, "its actor " + state.settings.actor + " accepts no guidance",
                  what_works(state));
  }
  if (!command.model.empty() && !command.terms) {
    return base::invalid_argument("model " + command.model +
                                  " is unknown; `agents provider test` shows the known models");
  }
  if (command.message.parts.empty() && !command.terms) {
    return base::invalid_argument("a prompt needs words, or another model");
  }
  return {};
}

void record_prompt(Draft& draft, const Prompt& command) {
  std::int64_t bytes = 0;
  const base::Sha256Digest body = draft.keep(command.message, bytes);
  draft.add(model::PlanPrompted{.body = body, .bytes = bytes, .terms = command.terms});
  draft.add(
      model::DecisionRecorded{.id = draft.make_id<model::DecisionId>(),
                              .parent = draft.state().root_decision,
                              .kind = model::DecisionKind::kUserIntervention,
                              .question = "What did a person say?",
                              .chosen = words::beginning(words::text_of(command.message), 1'000)});
}

// Returns whether the plan itself has a step that can take the words.
bool has_own_work(const State& state) {
  return std::ranges::any_of(state.steps, [](const Step& step) {
    return step.definition.mode == model::StepMode::kInline && step.state != StepState::kDone;
  });
}

void add_step(Draft& draft) {
  const std::string number = std::to_string(draft.state().prompts.size());
  draft.add(model::StepAdded{.step = {.id = "prompt-" + number,
                                      .title = "What the person asked for last",
                                      .depends_on = std::vector<std::string>()},
                             .decision = draft.state().decisions.back().id});
}

void execute_on(Draft& draft) {
  if (draft.state().unknown) {
    draft.say(failed_results(read_tools(draft.state().unknown->data),
                             "it is unknown whether this call completed"),
              model::MessageWhy::kResults);
  }
  if (draft.state().phase == Phase::kApply) draft.move(Phase::kExecute, PlanState::kQueued);
  if (!has_own_work(draft.state())) add_step(draft);
  go_on(draft);
}

}  // namespace

base::Result<Decided> transition(const State& state, const Prompt& command,
                                 const Circumstances& circumstances) {
  CLEVER_TRY(check_prompt(state, command));
  Draft draft(state, circumstances);
  record_prompt(draft, command);
  const bool works = state.state == PlanState::kProcessing ||
                     (state.state == PlanState::kQueued && !state.effects.empty());
  if (works) return draft.finish();
  withdraw_approval(draft, "a person sent a prompt instead");
  if (state.phase == Phase::kStrategize) {
    go_on(draft);
  } else {
    execute_on(draft);
  }
  return draft.finish();
}

}  // namespace clever::plan::transitions
