// The invariants of a plan between transactions:
//
//   1. A final plan (applied, cancelled) has no open effect but the undo of what was applied.
//   2. A plan that is processing or cancelling has an open effect, so it never stalls.
//   3. An open effect is of a kind that its phase allows, unless a correction stops it; at most one
//      is the plan's own work.
//   4. Each running subplan step has one open subplan and each open subplan a running step, except
//      subplans that a correction stops, which no step names; at most max_parallel are open.
//   5. In strategize the tree is the base's; steps exist only while the strategy awaits approval.
//   6. The active step is inline and running, and no other inline step is.
//   7. Each answer with tool calls has its results, unless the calls are running, will run again or
//      await approval. Results always follow their answer.
//   8. transcript_bytes is the sum of its messages.
//   9. Retries granted are within the policy of their category; reversions are at most 3.
//  10. A plan waits if and only if it says for what.
//  11. Only model calls hold reservations, and each open one does.
//  12. Conflicts belong to merged steps; only finished steps are merged.
//  13. Execute and apply have a base and a strategy; apply has a sealed changeset, or one that is
//      being sealed.
//  14. An approval exists only while the plan waits for it; calls are held only for an approval.
//  15. What lands has passed its validations; failed ones were handed back at most as often as the
//      plan's control allows.
#include <algorithm>
#include <numeric>

#include "plan/decide.h"
#include "plan/internal/agent.h"
#include "plan/internal/effect_data.h"
#include "plan/internal/validate.h"
#include "plan/recovery_policy.h"

namespace clever::plan {
namespace {

using model::Phase;
using model::PlanState;
using model::StepMode;
using model::StepState;

using Broken = std::vector<std::string>;

void require(Broken& broken, bool holds, std::string what) {
  if (!holds) broken.push_back(std::move(what));
}

bool belongs(Phase phase, PlanState state, EffectKind kind) {
  switch (kind) {
    case EffectKind::kBase:
    case EffectKind::kActorStrategize:
      return phase == Phase::kStrategize;
    case EffectKind::kModel:
    case EffectKind::kTools:
      return phase == Phase::kStrategize || phase == Phase::kExecute;
    case EffectKind::kActorWork:
    case EffectKind::kSubplan:
    case EffectKind::kMerge:
      return phase == Phase::kExecute;
    case EffectKind::kSeal:
    case EffectKind::kValidate:
    case EffectKind::kChoose:
      return phase == Phase::kExecute || phase == Phase::kApply;
    case EffectKind::kApply:
      return phase == Phase::kApply;
    case EffectKind::kUndo:
      return phase == Phase::kApply && state == PlanState::kApplied;
    case EffectKind::kTimer:
      return phase != Phase::kAction;
  }
  return false;
}

// A correction made this child useless.
bool is_orphan(const State& state, const model::EffectId& id, const OpenEffect& effect) {
  return effect.kind == EffectKind::kSubplan && state.step_of(child_of(id)) == nullptr;
}

void check_effects(const State& state, Broken& broken) {
  std::int64_t own = 0;
  for (const auto& [id, effect] : state.effects) {
    const std::string name(to_string(effect.kind));
    const bool is_left = effect.stopping || is_orphan(state, id, effect);
    require(broken, is_left || belongs(state.phase, state.state, effect.kind),
            name + " in a wrong phase");
    const bool reserves = effect.kind == EffectKind::kModel || is_by_agent(state, effect.kind);
    require(broken, (effect.reservation != 0) == reserves, name + " and its reservation");
    if (is_own(effect)) ++own;
    const bool is_undo = effect.kind == EffectKind::kUndo;
    require(broken, !state.is_final() || is_undo, name + " of a plan that has ended");
  }
  require(broken, own <= 1, "more than one own effect is open");
  require(broken, state.reserved.empty(), "a reservation without its effect");
  const bool works = state.state == PlanState::kProcessing || state.state == PlanState::kCancelling;
  require(broken, !works || !state.effects.empty(), "it works, and nothing is open");
}

void check_children(const State& state, Broken& broken) {
  std::int64_t running = 0;
  for (const Step& step : state.steps) {
    const bool runs =
        step.definition.mode == StepMode::kSubplan && step.state == StepState::kRunning;
    if (runs) ++running;
    require(broken, !step.merged || step.state == StepState::kDone, "merged, and not done");
  }
  std::int64_t open = 0;
  std::int64_t named = 0;
  for (const auto& [id, effect] : state.effects) {
    if (effect.kind != EffectKind::kSubplan) continue;
    ++open;
    const Step* step = state.step_of(child_of(id));
    if (step == nullptr) continue;
    ++named;
    require(broken, step->state == StepState::kRunning, "a child without a running step");
  }
  require(broken, named == running, "running subplan steps and open subplans differ");
  require(broken, open <= state.settings.subplans.max_parallel, "too many subplans at once");
}

void check_steps(const State& state, Broken& broken) {
  for (std::size_t i = 0; i < state.steps.size(); ++i) {
    const Step& step = state.steps[i];
    const bool runs =
        step.definition.mode == StepMode::kInline && step.state == StepState::kRunning;
    require(broken, runs == (state.active == i), "the active step is the inline one that runs");
  }
  require(broken, !state.active || *state.active < state.steps.size(), "no such active step");
}

void check_phase(const State& state, Broken& broken) {
  const bool has_base = state.base.has_value();
  if (state.phase == Phase::kStrategize) {
    require(broken, !has_base || state.tree == state.base->tree, "strategize changed the tree");
    const bool approval = state.waiting == Waiting::kApproval;
    require(broken, state.steps.empty() || approval || state.cancel_requested,
            "steps before the strategy was accepted");
  }
  if (state.phase == Phase::kExecute || state.phase == Phase::kApply) {
    require(broken, has_base && !state.steps.empty(), "work without base or strategy");
  }
  if (state.phase == Phase::kApply) {
    const bool seals = std::ranges::any_of(state.effects, [](const auto& one) {
      return one.second.kind == EffectKind::kSeal || one.second.kind == EffectKind::kTimer ||
             one.second.kind == EffectKind::kValidate;
    });
    require(broken,
            (state.apply || must_be_validated(state)) &&
                (state.changeset.digest || seals || state.cancel_requested ||
                 state.state == PlanState::kErrored || state.state == PlanState::kWaiting),
            "apply without what was sealed");
  }
  const bool waits = state.state == PlanState::kWaiting;
  require(broken, waits == (state.waiting != Waiting::kNothing), "waiting, and for what");
  require(broken, !state.approval || state.waiting == Waiting::kApproval,
          "an approval is awaited, and the plan does not wait for it");
  require(broken, !state.held || state.approval, "calls are held without an approval");
}

bool tools_are_pending(const State& state) {
  return state.unknown || state.held || state.cancel_requested ||
         std::ranges::any_of(state.effects, [](const auto& one) {
           return one.second.kind == EffectKind::kTools || one.second.kind == EffectKind::kTimer;
         });
}

// The conversation does not record which answers had calls. But results follow an answer, and an
// answer comes last only while its calls run.
void check_transcript(const State& state, Broken& broken) {
  using enum model::MessageWhy;
  const auto& entries = state.transcript;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].why != kResults) continue;
    require(broken, i > 0 && entries[i - 1].why == kAnswer, "results do not follow an answer");
  }
  const bool ends_with_answer = !entries.empty() && entries.back().why == kAnswer;
  // An external agent's words are recorded as they come, and need no answer.
  const bool working =
      state.active && state.state == PlanState::kProcessing && !state.settings.uses_agent;
  require(broken, !(ends_with_answer && working) || tools_are_pending(state),
          "an answer that nothing follows");
  const std::int64_t sum =
      std::accumulate(entries.begin(), entries.end(), std::int64_t{0},
                      [](std::int64_t so_far, const auto& one) { return so_far + one.bytes; });
  require(broken, sum == state.transcript_bytes, "the sum of the transcript");
}

void check_validation(const State& state, Broken& broken) {
  const std::int64_t most = std::max<std::int64_t>(state.settings.control.fixes, 0);
  require(broken, state.fixes <= most, "failed validations were handed back too often");
  const bool lands = std::ranges::any_of(
      state.effects, [](const auto& one) { return one.second.kind == EffectKind::kApply; });
  require(broken, !lands || !must_be_validated(state), "what did not pass is landing");
}

void check_errors(const State& state, Broken& broken) {
  for (std::size_t i = 0; i < state.retries.size(); ++i) {
    const auto category = static_cast<model::ErrorCategory>(i);
    require(broken, state.retries.at(i) <= recovery_policy(category).retries,
            "more retries than granted for " + std::string(to_string(category)));
  }
  require(broken, state.reversions <= 3, "more than 3 reversions");
}

void check_conflicts(const State& state, Broken& broken) {
  for (const model::OpenConflict& conflict : state.conflicts) {
    const bool merged = std::ranges::any_of(state.steps, [&](const Step& step) {
      return step.definition.id == conflict.step && step.merged;
    });
    require(broken, merged || conflict.step.empty(), "a conflict of a step that is not merged");
  }
}

}  // namespace

std::vector<std::string> check_invariants(const State& state) {
  Broken broken;
  if (!state.exists()) return broken;
  check_effects(state, broken);
  check_children(state, broken);
  check_steps(state, broken);
  check_phase(state, broken);
  check_transcript(state, broken);
  check_errors(state, broken);
  check_validation(state, broken);
  check_conflicts(state, broken);
  return broken;
}

}  // namespace clever::plan
