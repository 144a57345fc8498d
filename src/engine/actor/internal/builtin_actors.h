#pragma once
#include <vector>

#include "engine/actor/tool_actor.h"

namespace clever::engine::internal {

/// "local/task" and "local/codemod".
[[nodiscard]] std::vector<Actor> builtin_actors();

}  // namespace clever::engine::internal
