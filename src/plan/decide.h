#pragma once
#include <string>
#include <vector>

#include "base/result.h"
#include "base/sha256.h"
#include "model/event.h"
#include "model/time.h"
#include "plan/command.h"
#include "plan/state.h"

// The state machine of a plan: pure functions, one file per transition in transitions/.
//
//   phase       state → state                                       by
//   action      queued → strategize/queued                          Create
//   strategize  queued → processing → complete → execute/queued     base taken, strategy accepted
//   execute     queued → processing → complete                      steps done, children merged,
//   sealed apply       queued → processing → applied | constrained | errored any         processing
//   ⇄ waiting (approval, budget, a person) any         → errored (given up; Resume, Prompt lead
//   on), → cancelling → cancelled back        execute → strategize, apply → strategize (reversion,
//   at most 3), strategize →
//               strategize (restart after an error), apply/constrained → execute (Prompt), any →
//               execute/queued (Rollback)
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
};

/// The events that answer a command, or a refusal: `conflict` with phase and state in its sentence,
/// `invalid_argument`, `not_found`. A pure function; ids are derived from the plan's id, its last
/// sequence and a counter, child plan ids from the effect's id.
///
/// Total: any command in any state gets an answer. An outcome of an effect that is not open is
/// `conflict` (somebody settled it before).
[[nodiscard]] base::Result<Decided> decide(const State& state, const Command& command,
                                           const Circumstances& circumstances);

/// The state after one more event. `corruption` for an event that cannot follow; kinds that say
/// nothing about the state change only its sequence.
[[nodiscard]] base::Result<void> evolve(State& state, const model::StoredEvent& event);
/// From the first event.
[[nodiscard]] base::Result<State> fold(const std::vector<model::StoredEvent>& events);

/// What must hold of every state that evolve() can lead to, as a list of what does not; empty: all
/// is well.
[[nodiscard]] std::vector<std::string> check_invariants(const State& state);

/// The child that an effect spawns: the same whenever it is asked.
[[nodiscard]] model::PlanId child_of(const model::EffectId& effect);

}  // namespace clever::plan
