#pragma once
#include <map>
#include <string>

#include "base/random.h"
#include "engine/effect_runner.h"
#include "sim/engine/plan_database.h"
#include "sim/engine/sim_scheduler.h"
#include "sim/engine/world.h"

namespace clever::sim {

/// The effects of one process in the simulated world. Each start is checked: its request must be
/// durable and open, its transcript one that a provider accepts. Used by one thread.
class SimEffects final : public engine::EffectRunner {
 public:
  struct Parts {
    World& world;
    PlanDatabase& database;
    SimScheduler& scheduler;
    base::Random& random;
    /// Of a hundred effects so many fail.
    std::uint64_t errors = 0;
    /// Of a hundred tool calls a person is asked about so many.
    std::uint64_t asks = 0;
  };
  explicit SimEffects(Parts parts) : parts_(parts) {}

  void start(engine::EffectOrder order, Done done) override;
  /// What a subplan is created with.
  [[nodiscard]] static plan::Create child(const engine::EffectOrder& order);
  [[nodiscard]] std::size_t running(const model::PlanId& plan) const;
  [[nodiscard]] std::size_t model_calls() const { return model_calls_; }

 private:
  void check(const engine::EffectOrder& order);
  void check_transcript(const engine::EffectOrder& order);
  [[nodiscard]] plan::Command outcome(const engine::EffectOrder& order);
  [[nodiscard]] plan::Command compute(const engine::EffectOrder& order);
  [[nodiscard]] plan::Command answer(const engine::EffectOrder& order);
  [[nodiscard]] plan::Command run_tools(const engine::EffectOrder& order);
  [[nodiscard]] plan::Command work(const engine::EffectOrder& order);
  void record(const engine::EffectOrder& order, const std::vector<std::string>& paths);
  [[nodiscard]] plan::Command merge(const engine::EffectOrder& order);
  [[nodiscard]] plan::Command validate(const engine::EffectOrder& order);
  [[nodiscard]] plan::Command seal(const engine::EffectOrder& order);
  [[nodiscard]] plan::Command choose(const engine::EffectOrder& order);
  [[nodiscard]] plan::Command apply(const engine::EffectOrder& order);
  [[nodiscard]] std::vector<model::Message> messages(const plan::State& plan) const;

  const Parts parts_;
  std::map<std::pair<model::PlanId, model::EffectId>, int> running_;
  std::size_t model_calls_ = 0;
};

}  // namespace clever::sim
