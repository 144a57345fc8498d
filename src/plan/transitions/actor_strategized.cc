#include "plan/internal/agent.h"
#include "plan/internal/draft.h"
#include "plan/internal/failure.h"
#include "plan/internal/go_on.h"
#include "plan/internal/refuse.h"
#include "plan/internal/strategize.h"
#include "plan/internal/transitions.h"

namespace clever::plan::transitions {

base::Result<Decided> transition(const State& state, const ActorStrategized& command,
                                 const Circumstances& circumstances) {
  CLEVER_TRY(open_effect(state, command.effect, {EffectKind::kActorStrategize}));
  Draft draft(state, circumstances);
  const base::Result<void> fits = command.strategy.check();
  draft.settle(command.effect, fits.ok() ? "done" : "failed", command.spent);
  record_agent_usage(draft, {.effect = command.effect,
                             .model = command.model,
                             .input_tokens = command.input_tokens,
                             .output_tokens = command.output_tokens,
                             .spent = command.spent});
  if (finish_cancel(draft)) return draft.finish();
  if (fits.ok()) {
    accept(draft, command.strategy);
  } else {
    fail(draft, {.category = model::ErrorCategory::kToolFailure,
                 .message = "the actor's strategy does not fit: " + fits.error().sentence(),
                 .effect = command.effect,
                 .then = std::string(to_string(EffectKind::kActorStrategize))});
  }
  return draft.finish();
}

}  // namespace clever::plan::transitions
