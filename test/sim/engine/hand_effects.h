#pragma once
#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/monitor.h"
#include "base/stop_token.h"
#include "engine/effect_runner.h"
#include "engine/plan_execution_context.h"
#include "sim/engine/sim_effects.h"
#include "sim/engine/world.h"

namespace clever::sim {

/// Effects without a world: a plan whose model wants so many subplans and does nothing else.
/// Answers at once, or, for the kinds that are held, when it is told to, or asked to stop.
/// Thread-safe.
class HandEffects final : public engine::EffectRunner {
 public:
  struct Options {
    std::size_t subplans = 0;
    std::set<plan::EffectKind> held{};
    /// Instead of an answer of the model.
    std::optional<model::ErrorCategory> error{};
    /// Instead of subplans.
    std::optional<base::Error> child_error{};
    /// Of each call.
    model::Cost cost{.money = 0, .tokens = 15};
  };
  HandEffects() : HandEffects(Options{}) {}
  explicit HandEffects(Options options) : options_(std::move(options)) {}

  [[nodiscard]] base::Result<plan::Create> child(const engine::EffectOrder& order) const {
    if (options_.child_error) return *options_.child_error;
    return SimEffects::child(order);
  }

  void start(engine::EffectOrder order, Done done) override {
    started_.update([&](std::map<plan::EffectKind, int>& counts) { ++counts[order.kind]; });
    const bool holds = held_.read(
        [&](const Held& held) { return options_.held.contains(order.kind) && !held.released; });
    if (!holds) return done(answer(order));
    hold(std::move(order), std::move(done));
  }

  /// Waits until an effect of that kind was started so often.
  void wait_for(plan::EffectKind kind, int times = 1) {
    started_
        .wait({}, base::Deadline::never(),
              [&](const auto& counts) {
                const auto found = counts.find(kind);
                return found != counts.end() && found->second >= times;
              })
        .value();
  }
  [[nodiscard]] int started(plan::EffectKind kind) const {
    return started_.read([&](const auto& counts) {
      const auto found = counts.find(kind);
      return found == counts.end() ? 0 : found->second;
    });
  }
  [[nodiscard]] std::size_t running() const {
    return held_.read([](const Held& held) { return held.running.size(); });
  }
  /// What is held goes on, and nothing is held any more.
  void release() {
    auto all = held_.update([](Held& held) {
      held.released = true;
      return std::exchange(held.running, {});
    });
    for (const auto& one : all) one->done(answer(one->order));
  }

 private:
  struct Waiting {
    engine::EffectOrder order;
    Done done;
    std::unique_ptr<base::StopCallback> on_stop{};
  };
  struct Held {
    std::vector<std::shared_ptr<Waiting>> running{};
    bool released = false;
  };

  void hold(engine::EffectOrder order, Done done) {
    const base::StopToken stop = order.stop;
    auto waiting = std::make_shared<Waiting>(std::move(order), std::move(done));
    held_.update([&](Held& held) { held.running.push_back(waiting); });
    waiting->on_stop =
        std::make_unique<base::StopCallback>(stop, [this, weak = std::weak_ptr(waiting)] {
          const auto one = weak.lock();
          if (one != nullptr && take(one)) one->done(plan::EffectStopped{one->order.id});
        });
  }
  bool take(const std::shared_ptr<Waiting>& one) {
    return held_.update([&](Held& held) { return std::erase(held.running, one) > 0; });
  }

  [[nodiscard]] plan::Command answer(const engine::EffectOrder& order) const {
    using plan::EffectKind;
    switch (order.kind) {
      case EffectKind::kBase:
        return plan::BaseIsTaken{order.id, {.tree = std::string(40, 'a')}};
      case EffectKind::kModel:
        return answered(order);
      case EffectKind::kMerge:
        order.context->start_changeset({}).record({{.path = "file", .tool = "merge"}});
        return plan::Merged{
            .effect = order.id, .tree = std::string(40, 'b'), .steps = steps_in(order.data)};
      case EffectKind::kSeal:
        return plan::Sealed{.effect = order.id, .digest = base::sha256(order.plan->tree)};
      case EffectKind::kApply:
        return plan::ApplyCame{.effect = order.id,
                               .outcome = {.digest = order.plan->apply->digest,
                                           .applied = true,
                                           .commit = std::string(40, 'c')}};
      default:
        return plan::RecordError{.effect = order.id, .message = "no such effect"};
    }
  }
  [[nodiscard]] plan::Command answered(const engine::EffectOrder& order) const {
    if (options_.error) {
      return plan::RecordError{
          .effect = order.id, .category = *options_.error, .message = "trouble"};
    }
    plan::Answered answer{.effect = order.id, .model = "scripted/hand"};
    answer.spent = options_.cost;
    answer.message = {model::Role::kAssistant, {model::Text{"done"}}};
    if (order.plan->phase != model::Phase::kStrategize) return answer;
    model::Strategy strategy{.summary = "all at once"};
    for (std::size_t i = 0; i < std::max<std::size_t>(options_.subplans, 1); ++i) {
      strategy.steps.push_back(
          {.id = "s" + std::to_string(i),
           .title = "a part",
           .mode = options_.subplans == 0 ? model::StepMode::kInline : model::StepMode::kSubplan});
    }
    answer.message.parts = {model::ToolCall{"c", "submit_strategy", strategy.to_json()}};
    answer.calls = {plan::CallClass::kRead};
    answer.strategy = strategy;
    return answer;
  }

  const Options options_;
  base::Monitor<std::map<plan::EffectKind, int>> started_;
  base::Monitor<Held> held_;
};

}  // namespace clever::sim
