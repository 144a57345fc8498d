#pragma once
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "engine/agents/agent_program.h"
#include "model/strategy.h"
#include "sandbox/workspace.h"
#include "tool/command_world.h"

namespace clever::engine {

enum class ActorType : std::uint8_t { kLlm, kTool, kGraph, kAgent };
[[nodiscard]] std::string_view to_string(ActorType type) noexcept;  // "llm", "tool", …

enum class ArgumentType : std::uint8_t {
  kString,
  kInteger,  // whole, signed 64 bit
  kNumber,   // finite
  kBoolean,  // true or false
  kChoice,   // one of `choices`
  kPath,     // of the project: relative, and not out of it
};
[[nodiscard]] std::string_view to_string(ArgumentType type) noexcept;  // "string", "integer", …
[[nodiscard]] std::optional<ArgumentType> argument_type_from_string(std::string_view name) noexcept;

/// One argument of an actor or action.
struct ActorArgument {
  std::string name{};
  std::string description{};
  bool required = false;
  std::string default_value{};
  ArgumentType type = ArgumentType::kString;
  std::vector<std::string> choices{};
};

/// "a whole number", "one of a, b": completes "must be …".
[[nodiscard]] std::string expectation(const ActorArgument& argument);
/// Whether the text is a value of the argument's type.
[[nodiscard]] bool fits(const ActorArgument& argument, std::string_view value);

/// One step of a tool actor, with ${argument}, ${paths}, ${path} and ${project} where the YAML has
/// them; nothing of the environment can be named.
///
///   kind         keys (all texts; those in brackets may be missing)
///   replace      find [replace glob regex word required]
///   template     path content [overwrite]
///   delete       path | glob
///   move         from to
///   executable   path | glob, [value]
///   command      run, or `argv`; [glob timeout_s]
struct ToolActorStep {
  std::string kind{};
  std::map<std::string, std::string> values{};
  /// Of a command that was written as a list; else `run` is a text for sh.
  std::vector<std::string> argv{};
};

/// One node of a graph actor.
struct GraphNode {
  enum class Kind : std::uint8_t { kAgent, kTool, kConditional, kSubgraph };

  /// A letter, then letters, digits and `_`; at most 64.
  std::string id{};
  Kind kind = Kind::kAgent;
  // Of an agent or subgraph: who works, on what, with what; `${argument}` of the graph's.
  std::string actor{};
  std::string task{};
  std::map<std::string, std::string> arguments{};
  // Of a tool.
  std::vector<ToolActorStep> steps{};
  // Of a conditional: an expression (plan/expression.h), and which nodes are next.
  std::string when{};
  std::vector<std::string> then{};
  std::vector<std::string> otherwise{};
};

/// A way from node to node, taken if the expression holds; empty: always.
struct GraphEdge {
  std::string from{};
  std::string to{};
  std::string when{};
};

/// Who works for a plan. A value, read from YAML or built in.
struct Actor {
  std::string name{};  // "local/codemod"
  ActorType type = ActorType::kLlm;
  std::string description{};
  /// Of an llm actor: added to the system prompt.
  std::string system{};
  std::string model{};
  std::vector<ActorArgument> arguments{};
  // Of a tool actor.
  std::vector<ToolActorStep> steps{};
  /// How the work is split among subplans: files matching `split_glob` that contain `split_text`,
  /// in at most `split_into` parts; 0: not at all.
  std::string split_glob{};
  std::string split_text{};
  /// "true", "false" or a variable.
  std::string split_regex = "false";
  std::int64_t split_into = 0;
  // Of a graph actor: acyclic over all edges, every node reachable from an entry.
  std::vector<GraphNode> nodes{};
  std::vector<GraphEdge> edges{};
  std::vector<std::string> entries{};
  std::vector<std::string> exits{};
  // Of an agent actor.
  AgentProgram program{};
  /// Where it was read ("rename.yaml"); empty for a built-in one.
  std::string place{};
};

/// `invalid_argument` names file, line, key and cure.
[[nodiscard]] base::Result<Actor> actor_from_yaml(std::string_view text, std::string_view file);

/// Built-in ones ("local/task", "local/codemod", presets of agents), then those in the folders'
/// *.yaml and *.yml by name; a folder that is not there is an empty one. Of two files with one name
/// the later folder's counts, and a file's before a preset; another built-in name is an error. A
/// value; thread-safe once loaded.
///
/// Folders of a person alone: actors may name commands, folders and variables of theirs.
class ActorCatalog {
 public:
  [[nodiscard]] static base::Result<ActorCatalog> load(
      const std::vector<std::filesystem::path>& folders);
  /// `not_found` names the nearest. "codemod" means "local/codemod"; "local/release#build" is the
  /// tool node of a graph actor, as a tool actor with that one's arguments.
  [[nodiscard]] base::Result<Actor> find(std::string_view name) const;
  [[nodiscard]] const std::vector<Actor>& all() const { return actors_; }

 private:
  std::vector<Actor> actors_;
};

/// What of `given` is the actor's.
[[nodiscard]] std::map<std::string, std::string> arguments_for(
    const Actor& actor, const std::map<std::string, std::string>& given);

/// Checks names and fills in defaults. `invalid_argument` says which is missing or unknown. A
/// value for "project" (the name of its folder) may always be there.
[[nodiscard]] base::Result<std::map<std::string, std::string>> actor_arguments(
    const Actor& actor, const std::map<std::string, std::string>& given);

/// What a tool actor came to.
struct ToolActorResult {
  std::string summary{};
  std::int64_t replacements = 0;
  std::int64_t files = 0;
};

/// Runs tool actors. Thread-safe; blocks.
class ToolActorRunner {
 public:
  /// `commands` may be null: then steps of kind command are refused.
  explicit ToolActorRunner(std::shared_ptr<tool::CommandWorld> commands)
      : commands_(std::move(commands)) {}

  /// Reads only. One step for the whole work, or (with `split`, and enough files) a subplan for
  /// each part of the files.
  base::Result<model::Strategy> strategize(const Actor& actor,
                                           const std::map<std::string, std::string>& arguments,
                                           sandbox::Workspace& workspace,
                                           const base::StopToken& stop) const;
  /// On `paths` if there are any, else on all files. What it did before it failed stays in the
  /// workspace.
  base::Result<ToolActorResult> work(const Actor& actor,
                                     const std::map<std::string, std::string>& arguments,
                                     const std::vector<std::string>& paths,
                                     sandbox::Workspace& workspace,
                                     const base::StopToken& stop) const;

 private:
  std::shared_ptr<tool::CommandWorld> commands_;
};

}  // namespace clever::engine
