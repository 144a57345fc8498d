#pragma once
#include "base/result.h"
#include "engine/actor/internal/yaml_fields.h"
#include "engine/actor/tool_actor.h"

namespace clever::engine::internal {

/// command, protocol, prompt, network, folders, environment and timeout_s of an agent actor, whose
/// arguments are known. `invalid_argument` names file, line, place and cure.
[[nodiscard]] base::Result<void> read_agent(const YamlFields& fields, Actor& actor);

}  // namespace clever::engine::internal
