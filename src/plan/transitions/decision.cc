#include "model/decision_events.h"
#include "plan/internal/draft.h"
#include "plan/internal/refuse.h"
#include "plan/internal/transitions.h"

namespace clever::plan::transitions {

base::Result<Decided> transition(const State& state, const RecordDecision& command,
                                 const Circumstances& circumstances) {
  if (state.is_final()) {
    return refuse(state, "it has ended", "no more decisions are recorded");
  }
  if (command.kind == model::DecisionKind::kPromptDefinition) {
    return base::invalid_argument(
        "a plan has one prompt_definition, its root; record another kind");
  }
  if (command.confidence && !(*command.confidence >= 0 && *command.confidence <= 1)) {
    return base::invalid_argument("confidence is a number between 0 and 1");
  }
  Draft draft(state, circumstances);
  const auto id = draft.make_id<model::DecisionId>();
  draft.add(model::DecisionRecorded{.id = id,
                                    .parent = command.parent ? command.parent : state.decision,
                                    .kind = command.kind,
                                    .question = command.question,
                                    .chosen = command.chosen,
                                    .alternatives = command.alternatives,
                                    .confidence = command.confidence,
                                    .rationale = command.rationale,
                                    .context = state.context});
  return draft.finish("\"decision\":\"" + id.to_string() + "\"");
}

}  // namespace clever::plan::transitions
