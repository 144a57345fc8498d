#include "plan/internal/execute.h"

#include <algorithm>

#include "plan/expression.h"
#include "plan/internal/agent.h"
#include "plan/internal/changes.h"
#include "plan/internal/effect_data.h"
#include "plan/internal/enforce.h"
#include "plan/internal/failure.h"
#include "plan/internal/graph.h"
#include "plan/internal/talk.h"
#include "plan/internal/validate.h"
#include "plan/internal/words.h"

namespace clever::plan {
namespace {

using model::Phase;
using model::PlanState;
using model::StepState;

constexpr std::size_t kLongestSummary = 4'000;
constexpr std::size_t kLongestCondition = 200;

std::int64_t running_children(const State& state) {
  return std::ranges::count_if(state.effects, [](const auto& one) { return !is_own(one.second); });
}

bool stops_early(const State& state) {
  return state.settings.subplans.fail_fast &&
         std::ranges::any_of(state.steps,
                             [](const Step& step) { return step.state == StepState::kFailed; });
}

void skip_hopeless(Draft& draft, const Graph& graph) {
  for (const std::size_t index : graph.hopeless()) {
    draft.add(model::StepMoved{.step = draft.state().steps[index].definition.id,
                               .state = StepState::kSkipped,
                               .summary = "a step it depends on failed"});
  }
}

// A false condition skips a step; a condition that cannot be evaluated fails it.
bool decide_on(Draft& draft, const Graph& graph, std::size_t index) {
  const Step& step = draft.state().steps[index];
  model::StepMoved moved{.step = step.definition.id, .attempt = step.attempt};
  if (graph.has_no_way(index)) {
    moved.state = StepState::kSkipped;
    moved.summary = "no branch leads to it: all that it depends on was skipped";
  } else {
    const auto wanted = is_wanted(draft.state(), step);
    if (wanted.ok() && *wanted) return false;
    moved.state = wanted.ok() ? StepState::kSkipped : StepState::kFailed;
    moved.summary = (wanted.ok() ? "its condition is false: " : "its condition fails: ") +
                    words::beginning(step.definition.when, kLongestCondition);
    if (!wanted.ok()) {
      moved.summary += "; " + wanted.error().message() +
                       "; fix it in the actor's file or change the arguments, then run it again";
    }
  }
  draft.add(moved);
  return true;
}

// A skipped step may leave others unreachable, and a failed one hopeless.
void decide_conditions(Draft& draft, const Graph& graph) {
  bool moved = true;
  while (moved) {
    skip_hopeless(draft, graph);
    moved = false;
    for (const std::size_t index : graph.undecided()) {
      moved = decide_on(draft, graph, index) || moved;
    }
  }
}

// Returns whether the step was skipped by its condition, or by those of all its dependencies.
bool is_left_out(const State& state, const Graph& graph, std::size_t index) {
  const Step& step = state.steps[index];
  if (step.state != StepState::kSkipped) return false;
  if (graph.has_no_way(index)) return true;
  const auto wanted = is_wanted(state, step);
  return wanted.ok() && !*wanted;
}

void spawn(Draft& draft, std::size_t index) {
  const Step& step = draft.state().steps[index];
  const auto effect = draft.make_id<model::EffectId>();
  const model::PlanId child = child_of(effect);
  const model::StepMoved moved{.step = step.definition.id,
                               .state = StepState::kRunning,
                               .child = child,
                               .attempt = step.attempt + 1,
                               .base = draft.state().tree};
  draft.add(moved);
  draft.request(effect, EffectKind::kSubplan, subplan_data(moved.step, moved.attempt, child));
}

void spawn_ready(Draft& draft, const Graph& graph) {
  std::int64_t room =
      draft.state().settings.subplans.max_parallel - running_children(draft.state());
  if (room <= 0) return;
  for (const std::size_t index : graph.ready_subplans()) {
    if (room-- <= 0) return;
    spawn(draft, index);
  }
}

void merge(Draft& draft, const std::vector<std::size_t>& indices) {
  std::vector<std::string> steps;
  for (const std::size_t index : indices) steps.push_back(draft.state().steps[index].definition.id);
  draft.request(EffectKind::kMerge, merge_data(steps));
}

void start_step(Draft& draft, std::size_t index) {
  const Step& step = draft.state().steps[index];
  // A person who corrects it later wants more than that.
  const bool is_done = draft.state().settings.seal_at_start && index == 0 && step.attempt == 0;
  draft.add(model::StepMoved{.step = step.definition.id,
                             .state = StepState::kRunning,
                             .attempt = step.attempt + 1,
                             .base = step.base.empty() ? draft.state().tree : step.base});
  draft.forget_conversation();
  if (is_done) return finish_step(draft, "continues the work of an earlier plan");
  work_on_step(draft);
}

// Adds a person's guidance for this step.
void say_guidance(Draft& draft) {
  const auto guidance = draft.state().steps[*draft.state().active].guidance;
  for (const TranscriptEntry& words : guidance) {
    draft.add(model::MessageAdded{words.role, words.body, words.bytes, words.why});
  }
}

void end_with_failures(Draft& draft) {
  std::string failed;
  for (const Step& step : draft.state().steps) {
    if (step.state != StepState::kFailed) continue;
    failed += (failed.empty() ? "" : "; ") + step.definition.id + ": " +
              words::beginning(step.summary, 300);
  }
  give_up(draft, {.category = model::ErrorCategory::kToolFailure,
                  .message = "steps failed: " + failed,
                  .then = std::string(kWholeStep)});
}

void end_well(Draft& draft) {
  if (draft.state().parent) {
    draft.move(PlanState::kComplete);
    return;
  }
  open_changeset(draft);
  validate_then(draft, EffectKind::kSeal);
}

// No step runs and none can start.
void end(Draft& draft, const Graph& graph) {
  const auto unmerged = graph.unmerged();
  if (!unmerged.empty()) return merge(draft, unmerged);
  bool failed = false;
  for (std::size_t i = 0; i < draft.state().steps.size(); ++i) {
    const bool done = draft.state().steps[i].state == StepState::kDone;
    failed = failed || (!done && !is_left_out(draft.state(), graph, i));
  }
  failed ? end_with_failures(draft) : end_well(draft);
}

}  // namespace

void begin_execute(Draft& draft) {
  if (std::string broken = broken_invariants(draft.state()); !broken.empty()) {
    draft.move(PlanState::kWaiting, std::move(broken), "approval");
    return;
  }
  draft.move(Phase::kExecute, PlanState::kQueued);
  draft.move(PlanState::kProcessing);
  draft.forget_conversation();
  open_changeset(draft);
  advance(draft);
}

void advance(Draft& draft) {
  const Graph graph(draft.state());
  decide_conditions(draft, graph);
  const bool early = stops_early(draft.state());
  if (!early) spawn_ready(draft, graph);
  if (own_work_is_open(draft.state())) return;
  if (draft.state().active) return work_on_step(draft);
  const auto next = early ? std::nullopt : graph.next_inline();
  if (next) {
    if (!graph.dependencies_are_done(*next)) return;  // until its children have ended
    const auto needed = graph.unmerged_before(*next);
    return needed.empty() ? start_step(draft, *next) : merge(draft, needed);
  }
  if (running_children(draft.state()) == 0) end(draft, graph);
}

void work_on_step(Draft& draft) {
  const Step& step = draft.state().steps[*draft.state().active];
  if (draft.state().settings.uses_agent) return start_agent(draft, step.definition.id);
  if (!draft.state().settings.uses_model) {
    draft.request(EffectKind::kActorWork, step_data(step.definition.id));
    return;
  }
  if (draft.state().transcript.empty()) {
    draft.say(words::step(draft.state(), step), model::MessageWhy::kStep);
    say_guidance(draft);
  }
  ask(draft);
}

void restart_step(Draft& draft) {
  if (!draft.state().active) return advance(draft);
  start_step(draft, *draft.state().active);
}

void finish_step(Draft& draft, const std::string& summary) {
  const Step& step = draft.state().steps[*draft.state().active];
  draft.add(model::StepMoved{.step = step.definition.id,
                             .state = StepState::kDone,
                             .attempt = step.attempt,
                             .base = step.base,
                             .tree = draft.state().tree,
                             .summary = words::beginning(summary, kLongestSummary)});
  advance(draft);
}

void child_failed(Draft& draft, const Step& step, const std::string& why, bool may_retry) {
  const model::SubplanSettings& subplans = draft.state().settings.subplans;
  const bool again = may_retry && subplans.retry_failed && step.attempt <= subplans.max_retries;
  draft.add(model::StepMoved{.step = step.definition.id,
                             .state = again ? StepState::kPending : StepState::kFailed,
                             .child = again ? model::PlanId() : step.child,
                             .attempt = step.attempt,
                             .summary = words::beginning(why, kLongestSummary)});
  if (again || !subplans.fail_fast) return;
  for (const Step& other : draft.state().steps) {
    const bool runs = other.state == StepState::kRunning && other.child;
    if (runs) draft.send(other.child, "cancel/parent", Cancel{"its parent no longer needs it"});
  }
}

}  // namespace clever::plan
