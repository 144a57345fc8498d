#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/sha256.h"
#include "model/budget_events.h"
#include "model/event.h"
#include "model/time.h"
#include "plan/command.h"
#include "plan/state.h"

// The state machine of a plan: pure functions, one file per transition in transitions/.
//
//   from                       to                       by
//   (nothing)                  action/queued →          Create; base.take is requested
//                              strategize/queued
//   strategize/queued          strategize/processing    BaseIsTaken
//   strategize/processing      strategize/complete →    a strategy: Answered, ActorStrategized, or
//                              execute/queued →         at once if the plan is direct
//                              execute/processing
//   strategize/complete        strategize/waiting       profiles manual and review (and cautious,
//   if
//                                                       it is not sure): Resume, Prompt go on
//   execute/processing         execute/complete         all steps done and merged, then Sealed (a
//                                                       subplan seals nothing)
//   execute/complete           apply/queued →           Apply; at once if that was said
//                              apply/processing
//   execute/complete           apply/constrained        a required validation failed for good
//   execute, apply at rest     as it was                Choose, Chosen: a part of what was
//   reviewed,
//                                                       validated and sealed anew
//   */processing               */waiting                an approval: Approve, Reject, Resume go on
//   execute, apply at rest,    strategize/queued        Correct (revert of the task or the
//   strategy;
//     strategize/processing                             of a step it stays in execute)
//   apply/processing           apply/applied            ApplyCame
//   apply/*                    apply/constrained        open conflicts, files that moved on
//   */processing               */waiting                budget, a person's word (unknown effects,
//                                                       errors that only a person can end)
//   */waiting                  as it was                Resume, Prompt, BudgetFreed
//   */processing, queued       */errored                given up, no retry left
//   */errored, constrained     as it was                Resume
//   strategize/errored         strategize/processing    Resume: it begins anew
//   execute/processing         strategize/processing    reversion, at most 3
//   apply/constrained,         execute/queued →         Prompt: work goes on, sealed anew
//     errored, waiting;        execute/processing
//     execute/complete
//   execute, apply at rest     execute/queued           Rollback
//   execute/queued at rest     execute/processing       Resume, Prompt; Seal: sealed as it is
//   execute/complete           execute/processing       Resume, if it was sealed with steps to do
//   all but final              */cancelling →           Cancel; cancelled once no effect is open
//                              */cancelled
//   apply/cancelling           apply/applied            it had landed already
//   apply/applied              execute/complete         UndoCame: nothing of it is applied any more
//
// A plan that gives up or waits while children run stays as it is until they have ended (or wait
// themselves); only then it is at rest.
namespace clever::plan {

/// A large payload that an event names.
struct Body {
  base::Sha256Digest hash{};
  std::string content{};
};

/// A command to another plan, sent in the same transaction.
struct Outgoing {
  model::PlanId plan{};
  std::string key{};
  std::string body{};
};

/// What follows from a command. Everything in it happens together, or not at all.
struct Decided {
  std::vector<model::Event> events{};
  /// The plan as they leave it.
  State state{};
  std::vector<Body> bodies{};
  std::vector<Outgoing> outgoing{};
  /// JSON for whoever sent the command, and for those who send it again.
  std::string receipt = "{}";
};

/// What decisions depend on beside the state. A value.
struct Circumstances {
  model::Timestamp now{};
  /// False: the budget refused the reservation of a model call that this very command led to; what
  /// else the command brought is kept, and the plan waits for money.
  bool may_spend = true;
  /// Of may_spend = false: others have put aside what they may not need, so that there may be room
  /// without anybody doing anything.
  bool room_may_come = false;
  /// What is left in the budget that refused the reservation, which then has to fit into it.
  struct Left {
    model::Cost cost{};
    std::string scope{};
  };
  std::optional<Left> left{};
  /// Of a Rollback: the plan as it was at the checkpoint (state_at, past.h).
  std::shared_ptr<const State> past{};
};

/// The events that answer a command, or a refusal: `conflict` with phase and state in its sentence,
/// `invalid_argument`, `not_found`. A pure function; ids are derived from the plan's id, its last
/// sequence and a counter, child plan ids from the effect's id.
///
/// Total: any command in any state gets an answer. An outcome of an effect that is not open is
/// `conflict` (somebody settled it before). No events at all are an answer too: nothing changed.
///
/// Effects are started when they are requested; after TakenOver all that are still open are. A
/// timer is open until TimerFired at its due_of(), or until it is settled by a Cancel.
[[nodiscard]] base::Result<Decided> decide(const State& state, const Command& command,
                                           const Circumstances& circumstances);

/// Whether prompts that waited for an owner are to be decided before its TakenOver: what was
/// interrupted then gives way to them, and the next question has them. Any other time TakenOver
/// comes first.
[[nodiscard]] bool takes_words_first(const State& state);

/// The state after one more event. `corruption` for an event that cannot follow; kinds that say
/// nothing about the state change only its sequence.
[[nodiscard]] base::Result<void> evolve(State& state, const model::StoredEvent& event);
/// From the first event.
[[nodiscard]] base::Result<State> fold(const std::vector<model::StoredEvent>& events);

/// What must hold of a plan between transactions (invariants.cc has the list), as a list of what
/// does not; empty: all is well.
[[nodiscard]] std::vector<std::string> check_invariants(const State& state);

}  // namespace clever::plan
