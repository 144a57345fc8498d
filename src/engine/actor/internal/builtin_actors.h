#pragma once
#include <vector>

#include "engine/actor/tool_actor.h"

namespace clever::engine::internal {

/// "local/task" and "local/codemod".
[[nodiscard]] std::vector<Actor> builtin_actors();

/// Agents that people have: agents/presets. A file of a person with the same name counts instead.
[[nodiscard]] const std::vector<Actor>& agent_presets();

}  // namespace clever::engine::internal
