#include "model/decision_events.h"
#include "model/plan_events.h"
#include "plan/internal/draft.h"
#include "plan/internal/refuse.h"
#include "plan/internal/transitions.h"
#include "plan/internal/words.h"
#include "plan/reconciliation.h"

namespace clever::plan::transitions {
namespace {

constexpr std::int64_t kDeepest = 5;
constexpr std::size_t kLongestPlanTitle = 200;

// The first line with text.
std::string title_of(const Create& command) {
  std::string text = command.title.empty() ? words::text_of(command.prompt) : command.title;
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos) return "a task";
  text = text.substr(begin, text.find_first_of("\r\n", begin) - begin);
  return words::beginning(text, kLongestPlanTitle);
}

base::Result<void> check_create(const State& state, const Create& command) {
  if (state.exists()) {
    return refuse(state, "it exists already", "a new plan needs a new id");
  }
  if (!state.id) return base::invalid_argument("a new plan needs an id");
  if (command.settings.depth > kDeepest) {
    return base::invalid_argument("subplans nest at most " + std::to_string(kDeepest) +
                                  " deep; this one would be at depth " +
                                  std::to_string(command.settings.depth));
  }
  if (command.parent && !command.settings.spawned_by) {
    return base::invalid_argument("a subplan needs the effect that its parent waits with");
  }
  const Reconciled reconciled = reconcile(command.settings.control.invariants);
  if (!reconciled.conflict.empty()) return base::conflict(reconciled.conflict);
  return model::PlanSettings::parse(command.settings.to_json())
      .context("creating a plan")
      .and_then([](const model::PlanSettings&) { return base::Result<void>(); });
}

}  // namespace

base::Result<Decided> transition(const State& state, const Create& command,
                                 const Circumstances& circumstances) {
  CLEVER_TRY(check_create(state, command));
  Draft draft(state, circumstances);
  const std::string title = title_of(command);
  draft.add(model::PlanCreated{.parent = command.parent,
                               .title = title,
                               .action = command.action,
                               .project = command.project});
  draft.add(model::PlanConfigured{command.settings});
  std::int64_t bytes = 0;
  const base::Sha256Digest body = draft.keep(command.prompt, bytes);
  draft.add(model::PlanPrompted{.body = body, .bytes = bytes});
  draft.add(model::DecisionRecorded{.id = draft.make_id<model::DecisionId>(),
                                    .kind = model::DecisionKind::kPromptDefinition,
                                    .question = "What is to be done?",
                                    .chosen = title});
  draft.move(model::Phase::kStrategize, model::PlanState::kQueued);
  draft.request(EffectKind::kBase);
  return draft.finish();
}

}  // namespace clever::plan::transitions
