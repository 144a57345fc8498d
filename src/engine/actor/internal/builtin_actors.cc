#include "engine/actor/internal/builtin_actors.h"

#include "engine/agents/internal/preset_files.h"

namespace clever::engine::internal {
namespace {

constexpr std::string_view kTask = R"(
name: local/task
type: llm
description: Works on a task with a model and tools.
)";

constexpr std::string_view kCodemod = R"(
name: local/codemod
type: tool
description: Replaces text in all files, without a model; many files are worked on in parallel.
arguments:
- {name: find, description: the text to look for, required: true}
- {name: replace, description: "what takes its place; with regex, $1 is the first group"}
- {name: glob, description: "which files, such as src/**/*.py"}
- {name: regex, description: whether find is a regular expression, default: "false"}
- {name: word, description: whether only whole words are meant, default: "false"}
split: {glob: "${glob}", contains: "${find}", regex: "${regex}", into: 16}
steps:
- replace: {find: "${find}", replace: "${replace}", glob: "${glob}", regex: "${regex}", word: "${word}"}
)";

Actor builtin(std::string_view yaml) {
  Actor actor = actor_from_yaml(yaml, "built in").value();
  actor.place.clear();
  return actor;
}

}  // namespace

std::vector<Actor> builtin_actors() { return {builtin(kTask), builtin(kCodemod)}; }

const std::vector<Actor>& agent_presets() {
  static const std::vector<Actor> kPresets = [] {
    std::vector<Actor> presets;
    for (const std::string_view text : preset_files()) presets.push_back(builtin(text));
    return presets;
  }();
  return kPresets;
}

}  // namespace clever::engine::internal
