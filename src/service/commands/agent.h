#pragma once
// Private to the module.
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/actor/tool_actor.h"
#include "engine/agents/agent_check.h"
#include "service/context.h"

namespace clever::service {

/// An external agent, and what there is of it on this machine. A value.
struct KnownAgent {
  /// "claude"
  std::string name{};
  engine::Actor actor{};
  engine::AgentFound found{};
};
/// Asks each that is installed for its version: blocks for seconds.
[[nodiscard]] base::Result<std::vector<KnownAgent>> look_for_agents(Context& context);

}  // namespace clever::service
