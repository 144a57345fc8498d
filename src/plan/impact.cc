#include "plan/impact.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "plan/internal/draft.h"
#include "plan/internal/effect_data.h"
#include "plan/internal/failure.h"
#include "plan/internal/refuse.h"

namespace clever::plan {
namespace {

using model::CorrectionMode;
using model::Phase;
using model::PlanState;
using model::StepMode;
using model::StepState;

constexpr std::size_t kMostCheckpoints = 256;
constexpr std::int64_t kDeepest = 5;
/// The position of unfinished work: after all events.
constexpr std::int64_t kNow = std::numeric_limits<std::int64_t>::max();

bool is_running(const Step& step) { return step.state == StepState::kRunning; }

// The event after which the plan's tree holds a step's work; 0 if it holds none.
std::int64_t place_of(const Step& step) {
  if (step.merged) return step.merged_at;
  const bool works = step.definition.mode == StepMode::kInline && is_running(step);
  return works ? kNow : 0;
}

// For each step, by index, the steps that depend on it.
std::vector<std::vector<std::size_t>> dependents_of(const State& state) {
  std::unordered_map<std::string_view, std::size_t> places;
  for (std::size_t i = 0; i < state.steps.size(); ++i) {
    places.emplace(state.steps[i].definition.id, i);
  }
  std::vector<std::vector<std::size_t>> dependents(state.steps.size());
  for (std::size_t i = 0; i < state.steps.size(); ++i) {
    const auto& needs = state.steps[i].definition.depends_on;
    if (!needs) continue;
    for (const std::string& name : *needs) {
      const auto found = places.find(name);
      if (found != places.end()) dependents[found->second].push_back(i);
    }
  }
  return dependents;
}

/// What the correction of one step affects: its dependents, and the plan's own steps on a tree with
/// its work.
class Reach {
 public:
  Reach(const State& state, std::size_t first)
      : state_(state), dependents_(dependents_of(state)), reached_(state.steps.size()) {
    take(first);
    while (spread_over_tree()) {
    }
  }

  [[nodiscard]] const std::vector<std::size_t>& steps() const { return steps_; }
  [[nodiscard]] bool has(std::size_t index) const { return reached_[index]; }
  /// The tree to which the work goes back; empty if it stays.
  [[nodiscard]] const std::string& tree() const { return tree_; }
  [[nodiscard]] std::int64_t to_sequence() const { return to_sequence_; }

 private:
  void take(std::size_t first) {
    std::vector<std::size_t> open{first};
    while (!open.empty()) {
      const std::size_t one = open.back();
      open.pop_back();
      if (reached_[one]) continue;
      reached_[one] = true;
      steps_.push_back(one);
      open.insert(open.end(), dependents_[one].begin(), dependents_[one].end());
    }
  }

  // Returns true if that affected more steps.
  bool spread_over_tree() {
    const auto earliest = find_earliest();
    if (!earliest) return false;
    go_back_before(*earliest);
    const std::size_t before = steps_.size();
    for (std::size_t i = 0; i < state_.steps.size(); ++i) {
      const bool own = state_.steps[i].definition.mode == StepMode::kInline;
      if (own && place_of(state_.steps[i]) > to_sequence_) take(i);
    }
    return steps_.size() != before;
  }

  [[nodiscard]] std::optional<std::size_t> find_earliest() const {
    std::optional<std::size_t> earliest;
    for (const std::size_t one : steps_) {
      const std::int64_t place = place_of(state_.steps[one]);
      if (place == 0) continue;
      if (!earliest || place < place_of(state_.steps[*earliest])) earliest = one;
    }
    return earliest;
  }

  void go_back_before(std::size_t earliest) {
    if (began_anew_) return to_the_beginning();
    const Step& step = state_.steps[earliest];
    const bool own = step.definition.mode == StepMode::kInline;
    if (own) {
      before_own(step);
    } else {
      before_merge(step);
    }
    // The base has changed since then, so earlier trees do not fit it.
    if (!began_anew_ && to_sequence_ < base_taken_at()) to_the_beginning();
  }

  // The plan's own steps run one after another, and nothing is merged during one.
  void before_own(const Step& step) {
    if (step.base.empty()) return to_the_beginning();
    tree_ = step.base;
    to_sequence_ = 0;
    const std::int64_t place = place_of(step);
    for (const Step& other : state_.steps) {
      const std::int64_t earlier = place_of(other);
      if (earlier < place) to_sequence_ = std::max(to_sequence_, earlier);
    }
    for (const State::Checkpoint& point : state_.checkpoints) {
      if (point.tree == tree_ && point.sequence < place) {
        to_sequence_ = std::max(to_sequence_, point.sequence);
      }
    }
  }

  void before_merge(const Step& step) {
    const State::Checkpoint* last = nullptr;
    for (const State::Checkpoint& point : state_.checkpoints) {
      if (point.sequence < step.merged_at) last = &point;
    }
    // Checkpoints between the first and the latest are dropped.
    const bool forgotten = state_.checkpoints.size() == kMostCheckpoints;
    if (last == nullptr || (forgotten && last == &state_.checkpoints.front())) {
      return to_the_beginning();
    }
    tree_ = last->tree;
    to_sequence_ = step.merged_at - 1;
  }

  void to_the_beginning() {
    tree_ = state_.base->tree;
    to_sequence_ = 0;
    began_anew_ = true;
  }

  [[nodiscard]] std::int64_t base_taken_at() const {
    std::int64_t latest = 0;
    for (const State::Checkpoint& point : state_.checkpoints) {
      if (point.why == "base") latest = std::max(latest, point.sequence);
    }
    return latest;
  }

  const State& state_;
  const std::vector<std::vector<std::size_t>> dependents_;
  std::vector<bool> reached_;
  std::vector<std::size_t> steps_;
  std::string tree_;
  std::int64_t to_sequence_ = 0;
  bool began_anew_ = false;
};

bool is_superseded(const State& state, const model::DecisionId& decision) {
  return std::ranges::find(state.superseded, decision) != state.superseded.end();
}

base::Result<void> check_plan(const State& state) {
  if (state.is_final() || state.state == PlanState::kCancelling) {
    return refuse(state, "it can no longer be corrected", what_works(state));
  }
  const bool lands = state.phase == Phase::kApply &&
                     (state.state == PlanState::kProcessing || state.state == PlanState::kQueued);
  if (lands) return refuse(state, "it is being applied", "wait for its end, then correct it");
  return check_not_ended(state);
}

// Guidance needs an actor that accepts it: the one that makes the strategy, or the one that works
// on the steps.
base::Result<void> check_actor(const State& state, bool of_strategy) {
  const bool strategy = of_strategy && !state.settings.direct;
  if (state.settings.uses_model_for(strategy)) return {};
  if (!strategy && state.settings.uses_agent) return {};
  return refuse(state, "its actor " + state.settings.actor_for(strategy) + " accepts no guidance",
                what_works(state));
}

base::Result<void> check_decision(const State& state, const model::DecisionId& decision) {
  if (is_superseded(state, decision)) {
    return refuse(state, "decision " + decision.to_string() + " is superseded",
                  command_line(state, "tree", " --all") + " shows what replaced it");
  }
  if (std::ranges::find(state.decisions, decision, &HeldDecision::id) != state.decisions.end()) {
    return {};
  }
  return base::not_found("plan " + state.id.to_string() + " made no decision " +
                         decision.to_string() + "; " + command_line(state, "tree") +
                         " lists its decisions");
}

base::Result<void> check_append(const State& state) {
  if (state.phase == Phase::kStrategize) {
    const bool listens = state.settings.uses_model_for(true);
    return refuse(state, "it has no strategy yet to add to",
                  listens ? command_line(state, "prompt", " TEXT") + " gives it instructions"
                          : what_works(state));
  }
  if (state.settings.depth >= kDeepest) {
    return refuse(
        state,
        "subplans nest at most " + std::to_string(kDeepest) + " deep, and it is at that depth",
        "correct it with --mode revert");
  }
  return {};
}

std::vector<model::DecisionId> all_but_the_root(const State& state) {
  std::vector<model::DecisionId> ids;
  for (const HeldDecision& one : state.decisions) {
    if (one.id != state.root_decision) ids.push_back(one.id);
  }
  return ids;
}

// The decisions about the steps that start over, and all decisions below them. A decision comes
// after its parent.
std::vector<model::DecisionId> below(const State& state, const model::DecisionId& corrected,
                                     const std::vector<std::size_t>& steps) {
  std::unordered_set<model::DecisionId> gone{corrected};
  for (const std::size_t one : steps) gone.insert(state.steps[one].decision);
  std::vector<model::DecisionId> ids;
  for (const HeldDecision& one : state.decisions) {
    if (one.id == state.root_decision || one.id == state.strategy_decision) continue;
    if (!gone.contains(one.id) && !gone.contains(one.parent)) continue;
    gone.insert(one.id);
    ids.push_back(one.id);
  }
  return ids;
}

bool is_of_active_step(std::string_view then) {
  const auto kind = effect_kind_from_string(then);
  return then == kWholeStep || kind == EffectKind::kModel || kind == EffectKind::kTools ||
         kind == EffectKind::kActorWork;
}

// Returns whether running work is useless after the correction of a step.
bool is_useless(const State& state, const Reach& reach, std::string_view kind,
                std::string_view data) {
  if (is_of_active_step(kind)) return state.active && reach.has(*state.active);
  if (kind != to_string(EffectKind::kMerge)) return true;
  if (!reach.tree().empty()) return true;
  return std::ranges::any_of(read_merge(data), [&](const std::string& name) {
    return std::ranges::any_of(
        reach.steps(), [&](std::size_t one) { return state.steps[one].definition.id == name; });
  });
}

bool is_useless(const State& state, const Reach& reach, const OpenEffect& effect) {
  if (effect.kind != EffectKind::kTimer) {
    return is_useless(state, reach, to_string(effect.kind), effect.data);
  }
  const TimerData timer = read_timer(effect.data);
  return is_useless(state, reach, timer.then, timer.data);
}

// Whatever follows, the base is needed.
bool takes_base(const OpenEffect& effect) {
  if (effect.kind == EffectKind::kBase) return true;
  return effect.kind == EffectKind::kTimer &&
         read_timer(effect.data).then == to_string(EffectKind::kBase);
}

template <class IsUseless>
model::EffectId own_effect(const State& state, IsUseless is_useless_now) {
  for (const auto& [id, effect] : state.effects) {
    if (is_own(effect) && !effect.stopping && is_useless_now(effect)) return id;
  }
  return {};
}

template <class IsReached>
void sort_children(const State& state, IsReached is_reached, Impact& impact) {
  for (std::size_t i = 0; i < state.steps.size(); ++i) {
    const Step& step = state.steps[i];
    const bool reached = is_reached(i);
    if (step.state == StepState::kDone && !reached) impact.kept.push_back(i);
    if (!step.child) continue;
    if (is_running(step)) {
      (reached ? impact.stopped : impact.going_on).push_back(step.child);
    } else if (reached) {
      impact.dropped.push_back(step.child);
    }
  }
}

Impact of_whole_plan(const State& state) {
  Impact impact{.whole_plan = true, .superseded = all_but_the_root(state)};
  if (state.base && state.tree != state.base->tree) impact.tree = state.base->tree;
  impact.effect = own_effect(state, [](const OpenEffect& effect) { return !takes_base(effect); });
  sort_children(state, [](std::size_t) { return true; }, impact);
  return impact;
}

Impact of_step(const State& state, const model::DecisionId& decision, std::size_t step) {
  const Reach reach(state, step);
  Impact impact{.steps = reach.steps()};
  std::sort(impact.steps.begin() + 1, impact.steps.end());
  impact.superseded = below(state, decision, impact.steps);
  impact.tree = reach.tree();
  impact.to_sequence = reach.to_sequence();
  impact.effect =
      own_effect(state, [&](const OpenEffect& effect) { return is_useless(state, reach, effect); });
  sort_children(state, [&](std::size_t one) { return reach.has(one); }, impact);
  if (impact.tree.empty()) return impact;
  for (const std::size_t one : impact.kept) {
    if (state.steps[one].merged_at > impact.to_sequence) impact.merged_again.push_back(one);
  }
  return impact;
}

bool ends_the_work(const OpenEffect& effect) {
  const auto kind = effect.kind == EffectKind::kTimer
                        ? effect_kind_from_string(read_timer(effect.data).then)
                        : effect.kind;
  return kind == EffectKind::kSeal || kind == EffectKind::kValidate || kind == EffectKind::kChoose;
}

Impact of_addition(const State& state, const Step* about) {
  Impact impact;
  for (std::size_t i = 0; i < state.steps.size(); ++i) {
    if (about == nullptr || &state.steps[i] == about) impact.steps.push_back(i);
  }
  impact.effect = own_effect(state, ends_the_work);
  sort_children(state, [](std::size_t) { return false; }, impact);
  return impact;
}

}  // namespace

const Step* step_about(const State& state, const model::DecisionId& decision) {
  std::unordered_map<model::DecisionId, model::DecisionId> parents;
  for (const HeldDecision& one : state.decisions) parents.emplace(one.id, one.parent);
  const auto step_of = [&](const model::DecisionId& id) -> const Step* {
    const auto found = std::ranges::find(state.steps, id, &Step::decision);
    return found == state.steps.end() ? nullptr : &*found;
  };
  // A step's earlier corrections are about that step too.
  for (const Step& step : state.steps) {
    const auto above = parents.find(step.decision);
    const bool corrected = above != parents.end() && above->second == decision &&
                           decision != state.strategy_decision && decision != state.root_decision;
    if (corrected) return &step;
  }
  for (auto id = decision; id;) {
    if (const Step* step = step_of(id)) return step;
    const auto above = parents.find(id);
    if (above == parents.end()) return nullptr;
    id = above->second;
  }
  return nullptr;
}

Impact reach_of(const State& state, const model::DecisionId& decision) {
  if (!check_decision(state, decision).ok()) return {};
  const Step* about = step_about(state, decision);
  // Before execution, the plan consists of its strategy.
  if (about == nullptr || !state.base || state.phase == Phase::kStrategize) {
    return of_whole_plan(state);
  }
  return of_step(state, decision, static_cast<std::size_t>(about - state.steps.data()));
}

bool is_ended_subplan(const State& state) { return has_ended(state); }

base::Result<Impact> impact_of(const State& state, const model::DecisionId& decision,
                               CorrectionMode mode) {
  CLEVER_TRY(check_plan(state));
  CLEVER_TRY(check_decision(state, decision));
  const Step* about = step_about(state, decision);
  if (mode == CorrectionMode::kAppend) {
    CLEVER_TRY(check_append(state));
    CLEVER_TRY(check_actor(state, false));
    return of_addition(state, about);
  }
  CLEVER_TRY(check_actor(state, about == nullptr || state.phase == Phase::kStrategize));
  return reach_of(state, decision);
}

}  // namespace clever::plan
