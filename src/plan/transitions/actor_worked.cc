#include "plan/internal/agent.h"
#include "plan/internal/approval.h"
#include "plan/internal/changes.h"
#include "plan/internal/draft.h"
#include "plan/internal/execute.h"
#include "plan/internal/go_on.h"
#include "plan/internal/refuse.h"
#include "plan/internal/transitions.h"

namespace clever::plan::transitions {

base::Result<Decided> transition(const State& state, const ActorWorked& command,
                                 const Circumstances& circumstances) {
  CLEVER_TRY(open_effect(state, command.effect, {EffectKind::kActorWork}));
  Draft draft(state, circumstances);
  draft.settle(command.effect, "done", command.spent);
  record_agent_usage(draft, {.effect = command.effect,
                             .model = command.model,
                             .input_tokens = command.input_tokens,
                             .output_tokens = command.output_tokens,
                             .spent = command.spent});
  if (finish_cancel(draft)) return draft.finish();
  move_work(draft, command.tree, "actor");
  if (command.cut_for_budget) {
    draft.wait_for_money();
  } else if (!command.waiting.empty()) {
    ask_about_agent(draft, command.waiting);
  } else if (state.settings.uses_agent && !state.pending_prompts.empty()) {
    work_on_step(draft);
  } else {
    finish_step(draft, command.summary);
  }
  return draft.finish();
}

}  // namespace clever::plan::transitions
