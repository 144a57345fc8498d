#include "plan/command.h"

namespace clever::plan {
namespace {

struct Name {
  std::string_view operator()(const Create&) const { return "create"; }
  std::string_view operator()(const Prompt&) const { return "prompt"; }
  std::string_view operator()(const Resume&) const { return "resume"; }
  std::string_view operator()(const Cancel&) const { return "cancel"; }
  std::string_view operator()(const Apply&) const { return "apply"; }
  std::string_view operator()(const Undo&) const { return "undo"; }
  std::string_view operator()(const Rollback&) const { return "rollback"; }
  std::string_view operator()(const Seal&) const { return "seal"; }
  std::string_view operator()(const Correct&) const { return "correct"; }
  std::string_view operator()(const Approve&) const { return "approve"; }
  std::string_view operator()(const Reject&) const { return "reject"; }
  std::string_view operator()(const Choose&) const { return "choose"; }
  std::string_view operator()(const ChildEnded&) const { return "child_ended"; }
  std::string_view operator()(const ChildWaits&) const { return "child_waits"; }
  std::string_view operator()(const TakenOver&) const { return "taken_over"; }
  std::string_view operator()(const BaseIsTaken&) const { return "base_is_taken"; }
  std::string_view operator()(const Answered&) const { return "answered"; }
  std::string_view operator()(const ToolsRan&) const { return "tools_ran"; }
  std::string_view operator()(const ActorStrategized&) const { return "actor_strategized"; }
  std::string_view operator()(const ActorWorked&) const { return "actor_worked"; }
  std::string_view operator()(const AgentCharged&) const { return "agent_charged"; }
  std::string_view operator()(const AgentSaid&) const { return "agent_said"; }
  std::string_view operator()(const Merged&) const { return "merged"; }
  std::string_view operator()(const Validated&) const { return "validated"; }
  std::string_view operator()(const Chosen&) const { return "chosen"; }
  std::string_view operator()(const Sealed&) const { return "sealed"; }
  std::string_view operator()(const ApplyCame&) const { return "apply_came"; }
  std::string_view operator()(const UndoCame&) const { return "undo_came"; }
  std::string_view operator()(const TimerFired&) const { return "timer_fired"; }
  std::string_view operator()(const BudgetFreed&) const { return "budget_freed"; }
  std::string_view operator()(const RecordError&) const { return "record_error"; }
  std::string_view operator()(const EffectStopped&) const { return "effect_stopped"; }
  std::string_view operator()(const RecordChanges&) const { return "record_changes"; }
  std::string_view operator()(const RecordDecision&) const { return "record_decision"; }
};

}  // namespace

std::string_view name_of(const Command& command) noexcept { return std::visit(Name(), command); }

}  // namespace clever::plan
