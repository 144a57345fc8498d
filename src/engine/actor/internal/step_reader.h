#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/actor/tool_actor.h"
#include "model/yaml.h"

namespace clever::engine::internal {

/// What the steps of one actor may name, and how.
struct StepRules {
  std::string_view file{};
  /// The actor's arguments.
  std::vector<std::string> arguments{};
  /// The work is split: each step must be about files of its part.
  bool split = false;
};

/// One step of an actor; `place` is "steps[2]". `invalid_argument` names file, line, place and
/// cure.
[[nodiscard]] base::Result<ToolActorStep> read_step(const model::YamlValue& value,
                                                    const std::string& place,
                                                    const StepRules& rules);

/// Whether the step is done once for each file: it names ${path}.
[[nodiscard]] bool is_for_each(const ToolActorStep& step);
/// Whether a command gets all files at once: ${paths}, or "$@" in a text for the shell.
[[nodiscard]] bool takes_all_paths(const ToolActorStep& step);

}  // namespace clever::engine::internal
