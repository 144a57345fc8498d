#pragma once
#include "base/result.h"
#include "plan/command.h"
#include "plan/decide.h"
#include "plan/state.h"

// The consequences of each command: one function per kind, one file each in transitions/. The plan
// exists, except for Create.
namespace clever::plan::transitions {

#define CLEVER_TRANSITION(Kind)                                                           \
  [[nodiscard]] base::Result<Decided> transition(const State& state, const Kind& command, \
                                                 const Circumstances& circumstances)
CLEVER_TRANSITION(Create);
CLEVER_TRANSITION(Prompt);
CLEVER_TRANSITION(Resume);
CLEVER_TRANSITION(Cancel);
CLEVER_TRANSITION(Apply);
CLEVER_TRANSITION(Undo);
CLEVER_TRANSITION(Rollback);
CLEVER_TRANSITION(Seal);
CLEVER_TRANSITION(Correct);
CLEVER_TRANSITION(Approve);
CLEVER_TRANSITION(Reject);
CLEVER_TRANSITION(Choose);
CLEVER_TRANSITION(ChildEnded);
CLEVER_TRANSITION(ChildWaits);
CLEVER_TRANSITION(TakenOver);
CLEVER_TRANSITION(BaseIsTaken);
CLEVER_TRANSITION(Answered);
CLEVER_TRANSITION(ToolsRan);
CLEVER_TRANSITION(ActorStrategized);
CLEVER_TRANSITION(ActorWorked);
CLEVER_TRANSITION(AgentCharged);
CLEVER_TRANSITION(AgentSaid);
CLEVER_TRANSITION(Merged);
CLEVER_TRANSITION(Validated);
CLEVER_TRANSITION(Chosen);
CLEVER_TRANSITION(Sealed);
CLEVER_TRANSITION(ApplyCame);
CLEVER_TRANSITION(UndoCame);
CLEVER_TRANSITION(TimerFired);
CLEVER_TRANSITION(BudgetFreed);
CLEVER_TRANSITION(RecordError);
CLEVER_TRANSITION(EffectStopped);
CLEVER_TRANSITION(RecordChanges);
CLEVER_TRANSITION(RecordDecision);
#undef CLEVER_TRANSITION

/// Handles the outcome of an effect that a correction stopped: settles it with its cost, and drops
/// its result.
[[nodiscard]] base::Result<Decided> stopped(const State& state, const Command& command,
                                            const Circumstances& circumstances);

}  // namespace clever::plan::transitions
