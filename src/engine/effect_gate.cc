#include "engine/effect_gate.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace clever::engine {
namespace {

// Shorter waits for the time of a retry are not worth a pause.
constexpr std::chrono::seconds kWorthAPause{5};

}  // namespace

EffectGate::Tree* EffectGate::find(Trees& trees, const plan::State& plan) {
  if (const auto found = trees.find(plan.id); found != trees.end()) return found->second.get();
  const auto parent = plan.parent ? trees.find(plan.parent) : trees.end();
  if (parent == trees.end()) return nullptr;
  const std::shared_ptr<Tree> tree = parent->second;
  tree->plans[plan.id];
  trees[plan.id] = tree;
  return tree.get();
}

bool EffectGate::all_wait(const Tree& tree) {
  const auto waits = [](const auto& plan) { return plan.second.waits; };
  return std::ranges::any_of(tree.plans, waits) &&
         std::ranges::all_of(tree.plans, [](const auto& plan) {
           const Member& member = plan.second;
           return member.running == 0 || (member.waits && member.running == 1 && member.calls == 1);
         });
}

bool EffectGate::is_idle(const Tree& tree) {
  return std::ranges::all_of(tree.plans, [](const auto& plan) { return plan.second.running == 0; });
}

std::function<void()> EffectGate::stir(Tree& tree) {
  tree.stirred = true;
  if (tree.phase != Phase::kPaused) return {};
  tree.phase = Phase::kReturning;
  return tree.owner.wants_to_work;
}

EffectGate::Effects EffectGate::open(Tree& tree) {
  tree.phase = Phase::kWorking;
  for (const auto& [id, held] : tree.held) {
    Member& member = tree.plans[held->order.plan->id];
    ++member.running;
    if (held->order.kind == plan::EffectKind::kModel) ++member.calls;
    member.waits = false;
  }
  return std::exchange(tree.held, {});
}

void EffectGate::add(const std::vector<model::PlanId>& roots, Owner owner) {
  const auto tree = std::make_shared<Tree>(std::move(owner));
  for (const model::PlanId& root : roots) tree->plans[root];
  trees_.with([&](Trees& trees) {
    for (const model::PlanId& root : roots) trees[root] = tree;
  });
}

void EffectGate::remove(const model::PlanId& root) {
  Effects effects;
  const auto tree = trees_.with([&](Trees& trees) {
    const auto found = trees.find(root);
    if (found == trees.end()) return std::shared_ptr<Tree>();
    auto removed = found->second;
    for (const auto& [plan, member] : removed->plans) trees.erase(plan);
    effects = open(*removed);
    return removed;
  });
  run_all(std::move(effects));
}

void EffectGate::allow(const model::PlanId& root) {
  run_all(trees_.with([&](Trees& trees) {
    const auto found = trees.find(root);
    return found == trees.end() ? Effects() : open(*found->second);
  }));
}

void EffectGate::start(EffectRunner& runner, EffectOrder order, EffectRunner::Done done) {
  auto held = std::make_unique<Held>(runner, std::move(order), std::move(done));
  const model::EffectId id = held->order.id;
  const model::PlanId plan = held->order.plan->id;
  const base::StopToken stop = held->order.stop;
  std::function<void()> wants;
  trees_.with([&](Trees& trees) {
    Tree* tree = find(trees, *held->order.plan);
    if (tree == nullptr) return;
    tree->held[id] = std::move(held);
    if (tree->phase != Phase::kWorking) {
      wants = stir(*tree);
      return;
    }
    held = std::move(open(*tree).at(id));
  });
  if (held != nullptr) return run(std::move(held));
  // Made without the lock: it may be called at once.
  auto on_stop = std::make_unique<base::StopCallback>(stop, [this, plan, id] { drop(plan, id); });
  trees_.with([&](Trees& trees) {
    const auto tree = trees.find(plan);
    if (tree == trees.end()) return;
    const auto found = tree->second->held.find(id);
    if (found != tree->second->held.end()) found->second->on_stop = std::move(on_stop);
  });
  if (wants) wants();
}

void EffectGate::run(std::unique_ptr<Held> held) {
  // Waits for a stop that is under way, which finds the effect gone.
  held->on_stop.reset();
  const model::PlanId plan = held->order.plan->id;
  const bool call = held->order.kind == plan::EffectKind::kModel;
  held->runner.start(std::move(held->order), [this, plan, call, done = std::move(held->done)](
                                                 plan::Command outcome) mutable {
    ended(plan, call);
    done(std::move(outcome));
  });
}

void EffectGate::run_all(Effects effects) {
  for (auto& [id, held] : effects) run(std::move(held));
}

void EffectGate::ended(const model::PlanId& plan, bool call) {
  trees_.with([&](Trees& trees) {
    const auto tree = trees.find(plan);
    if (tree == trees.end()) return;
    Member& member = tree->second->plans[plan];
    // It may have begun before its tree was added.
    if (member.running == 0) return;
    --member.running;
    if (call && member.calls > 0) --member.calls;
    member.waits = false;
  });
}

void EffectGate::drop(const model::PlanId& plan, const model::EffectId& effect) {
  const std::unique_ptr<Held> held = trees_.with([&](Trees& trees) {
    const auto tree = trees.find(plan);
    if (tree == trees.end()) return std::unique_ptr<Held>();
    auto node = tree->second->held.extract(effect);
    return node.empty() ? nullptr : std::move(node.mapped());
  });
  if (held != nullptr) held->done(plan::EffectStopped{effect});
}

std::optional<WaitNotice> EffectGate::reason_to_wait(const plan::State& plan) const {
  const bool for_money = plan.waiting == plan::Waiting::kBudget && plan.room_may_come;
  if (for_money) return WaitNotice{.why = plan.reason, .sentence = plan.reason};
  if (plan.effects.empty()) return std::nullopt;
  auto first = base::WallTime::max();
  for (const auto& [id, effect] : plan.effects) {
    if (effect.kind != plan::EffectKind::kTimer) return std::nullopt;
    first = std::min<base::WallTime>(first, plan::due_of(effect.data));
  }
  if (first <= clock_.wall_now() + kWorthAPause) return std::nullopt;
  return WaitNotice{.why = plan.reason, .until = first, .sentence = plan.reason};
}

void EffectGate::on_events(const plan::State& state,
                           const std::vector<model::StoredEvent>& events) {
  ForwardingObserver::on_events(state, events);
  const std::optional<WaitNotice> wait = reason_to_wait(state);
  const std::function<void()> wants = trees_.with([&](Trees& trees) {
    Tree* tree = find(trees, state);
    if (tree == nullptr) return std::function<void()>();
    tree->plans[state.id].waits = wait.has_value();
    return is_idle(*tree) && !all_wait(*tree) ? stir(*tree) : std::function<void()>();
  });
  if (wants) wants();
  if (wait) consider_pause(state.id, *wait);
}

void EffectGate::on_wait(const model::PlanId& plan, const WaitNotice& wait) {
  ForwardingObserver::on_wait(plan, wait);
  trees_.with([&](Trees& trees) {
    const auto tree = trees.find(plan);
    if (tree == trees.end()) return;
    Member& member = tree->second->plans[plan];
    member.waits = member.calls > 0;
  });
  consider_pause(plan, wait);
}

void EffectGate::consider_pause(const model::PlanId& plan, const WaitNotice& wait) {
  const auto pause = trees_.with([&](Trees& trees) {
    const auto found = trees.find(plan);
    if (found == trees.end()) return std::function<bool(const WaitNotice&)>();
    Tree& tree = *found->second;
    if (tree.phase != Phase::kWorking || !all_wait(tree)) {
      return std::function<bool(const WaitNotice&)>();
    }
    tree.phase = Phase::kPausing;
    tree.stirred = false;
    return tree.owner.pause;
  });
  if (!pause) return;
  if (!pause(wait)) return allow(plan);
  const auto wants = trees_.with([&](Trees& trees) {
    const auto found = trees.find(plan);
    if (found == trees.end() || found->second->phase != Phase::kPausing) {
      return std::function<void()>();
    }
    Tree& tree = *found->second;
    tree.phase = Phase::kPaused;
    return tree.stirred ? stir(tree) : std::function<void()>();
  });
  if (wants) wants();
}

}  // namespace clever::engine
