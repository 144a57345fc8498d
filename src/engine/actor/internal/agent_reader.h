#pragma once
#include "base/result.h"
#include "engine/actor/internal/yaml_fields.h"
#include "engine/actor/tool_actor.h"

namespace clever::engine::internal {

/// What an agent actor says of its program (AgentProgram); its arguments are known. What it does
/// not say is as in the preset that `like` names. `invalid_argument` names file, line, place and
/// cure.
[[nodiscard]] base::Result<void> read_agent(const YamlFields& fields, Actor& actor);

}  // namespace clever::engine::internal
