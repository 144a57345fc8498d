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
// clang-format off
//   from                       to                       by
//   (nothing)                  action/queued →          Create; requests base.take
//                              strategize/queued
//   strategize/queued          strategize/processing    BaseIsTaken
//   strategize/processing      strategize/complete →    a strategy: Answered, ActorStrategized;
//                              execute/queued →         or at once if the plan is direct
//                              execute/processing
//   strategize/complete        strategize/waiting       profiles manual and review (cautious: if
//                                                       not confident); Resume, Prompt continue
//   strategize/errored         strategize/processing    Resume: starts over
//   execute/processing         execute/complete         all steps done and merged, then Sealed
//                                                       (a subplan seals nothing)
//   execute/processing         strategize/processing    reversion, at most 3
//   execute/complete           apply/queued →           Apply; at once if requested before
//                              apply/processing
//   execute/complete           apply/constrained        a required validation failed for good
//   execute/complete           execute/processing       Resume, if sealed with unfinished steps
//   execute/queued at rest     execute/processing       Resume, Prompt; Seal: seals it as it is
//   execute, apply at rest     unchanged                Choose, Chosen: keeps a part of the
//                                                       reviewed changes, validates and seals it
//   execute, apply at rest     execute/queued           Rollback
//   execute, apply at rest,    strategize/queued        Correct: revert of the task or strategy
//     strategize/processing                             (of a step: stays in execute)
//   apply/processing           apply/applied            ApplyCame
//   apply/*                    apply/constrained        open conflicts, changed files
//   apply/constrained,         execute/queued →         Prompt: continues, and seals again
//     errored, waiting;        execute/processing
//     execute/complete
//   apply/cancelling           apply/applied            it had landed already
//   apply/applied              execute/complete         UndoCame: nothing is applied any more
//   */processing               */waiting                an approval: Approve, Reject, Resume
//   */processing               */waiting                budget, or a person (unknown effects,
//                                                       errors that only a person can resolve)
//   */waiting                  its earlier state        Resume, Prompt, BudgetFreed
//   */processing, queued       */errored                gave up, no retry left
//   */errored, constrained     its earlier state        Resume
//   all but final              */cancelling →           Cancel; cancelled once no effect is open
//                              */cancelled
// clang-format on
//
// A plan that gives up or waits while children run keeps its state until they have ended (or wait
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

/// The consequences of a command. They happen together, or not at all.
struct Decided {
  std::vector<model::Event> events{};
  /// The plan after the events.
  State state{};
  std::vector<Body> bodies{};
  std::vector<Outgoing> outgoing{};
  /// JSON for the sender of the command, and for those who repeat it.
  std::string receipt = "{}";
};

/// Inputs of a decision besides the state. A value.
struct Circumstances {
  model::Timestamp now{};
  /// False: the budget refused the reservation of a model call that this very command led to. The
  /// command's other consequences are kept, and the plan waits for money.
  bool may_spend = true;
  /// With may_spend = false: other calls have reserved more than they may need, so there may be
  /// room without anyone's action.
  bool room_may_come = false;
  /// What is left in the budget that refused the reservation, which then has to fit into it.
  struct Left {
    model::Cost cost{};
    std::string scope{};
  };
  std::optional<Left> left{};
  /// For a Rollback: the plan as it was at the checkpoint (state_at, past.h).
  std::shared_ptr<const State> past{};
};

/// Returns the events that answer a command, or a refusal: `conflict` with phase and state in its
/// sentence, `invalid_argument`, `not_found`. A pure function; ids are derived from the plan's id,
/// its last sequence and a counter, child plan ids from the effect's id.
///
/// Total: any command in any state gets an answer. An outcome of an effect that is not open is
/// `conflict` (it was settled before). An answer may have no events: then nothing changed.
///
/// Effects start when they are requested; after TakenOver all open ones do. A timer is open until
/// TimerFired at its due_of(), or until a Cancel settles it.
[[nodiscard]] base::Result<Decided> decide(const State& state, const Command& command,
                                           const Circumstances& circumstances);

/// Whether to decide waiting prompts before the TakenOver of a new owner: interrupted work then
/// gives way to them, and the next question includes them. Otherwise TakenOver comes first.
[[nodiscard]] bool takes_words_first(const State& state);

/// Applies one more event. `corruption` for an event that cannot follow; kinds that say nothing
/// about the state change only its sequence.
[[nodiscard]] base::Result<void> evolve(State& state, const model::StoredEvent& event);
/// Folds all events, from the first.
[[nodiscard]] base::Result<State> fold(const std::vector<model::StoredEvent>& events);

/// Checks the invariants of a plan between transactions (invariants.cc lists them); returns the
/// broken ones.
[[nodiscard]] std::vector<std::string> check_invariants(const State& state);

}  // namespace clever::plan
