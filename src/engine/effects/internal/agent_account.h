#pragma once
#include <memory>
#include <string>

#include "base/deadline.h"
#include "base/monitor.h"
#include "base/stop_token.h"
#include "engine/agents/agent_program.h"
#include "engine/agents/agent_stream.h"
#include "engine/effect_runner.h"
#include "model/budget_events.h"
#include "plan/command.h"

namespace clever::engine::internal {

/// What an agent uses, charged to its plan slice by slice while it works. Used by the thread that
/// runs the agent; answers come on others.
class AgentAccount {
 public:
  /// With a subscription tokens count, and no money.
  AgentAccount(const EffectOrder& order, const AgentProgram& program, bool subscription);

  /// What it used so far in all.
  void take(const AgentUsage& usage, const std::string& model);
  /// Waits for the answer to a charge under way, so that nothing is charged twice: the agent ended.
  void settle(const base::StopToken& stop, base::Deadline deadline);
  /// False once there is no room for another slice.
  [[nodiscard]] bool may_go_on() const;
  /// What was not charged yet.
  [[nodiscard]] plan::AgentCharged open() const;
  [[nodiscard]] model::Cost open_cost() const { return open().spent; }

 private:
  struct State {
    plan::AgentCharged charged{};
    plan::AgentCharged asked{};
    bool is_asking = false;
    bool is_refused = false;
  };

  [[nodiscard]] model::Cost cost_of(const AgentUsage& usage, const std::string& model) const;

  // Constant after construction.
  const EffectOrder& order_;
  const AgentProgram& program_;
  const bool subscription_;
  const std::shared_ptr<base::Monitor<State>> state_;
  // Of the thread that runs the agent: in all.
  plan::AgentCharged used_{};
};

}  // namespace clever::engine::internal
