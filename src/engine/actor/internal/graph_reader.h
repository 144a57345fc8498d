#pragma once
#include "base/result.h"
#include "engine/actor/internal/yaml_fields.h"
#include "engine/actor/tool_actor.h"

namespace clever::engine::internal {

/// nodes, edges, entry and exits of a graph actor, whose arguments are known. `invalid_argument`
/// names file, line, place and cure: an unknown node, a cycle (with its nodes), a node or exit that
/// cannot be reached, an expression that is none or that asks for what is not known there.
[[nodiscard]] base::Result<void> read_graph(const YamlFields& fields, Actor& actor);

}  // namespace clever::engine::internal
