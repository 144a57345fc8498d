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
#include "model/strategy.h"
#include "sandbox/workspace.h"
#include "tool/command_world.h"

namespace clever::engine {

enum class ActorType : std::uint8_t { kLlm, kTool };

/// One argument of an actor.
struct ActorArgument {
  std::string name{};
  std::string description{};
  bool required = false;
  std::string default_value{};
};

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
  /// Where it was read ("rename.yaml"); empty for a built-in one.
  std::string place{};
};

/// `invalid_argument` names file, line, key and cure.
[[nodiscard]] base::Result<Actor> actor_from_yaml(std::string_view text, std::string_view file);

/// Built-in ones ("local/task", "local/codemod"), then those in the folders' *.yaml and *.yml by
/// name; a folder that is not there is an empty one. Of two files with one name the later folder's
/// counts; a built-in name is an error. A value; thread-safe once loaded.
class ActorCatalog {
 public:
  [[nodiscard]] static base::Result<ActorCatalog> load(
      const std::vector<std::filesystem::path>& folders);
  /// `not_found` names the nearest. "codemod" means "local/codemod".
  [[nodiscard]] base::Result<Actor> find(std::string_view name) const;
  [[nodiscard]] const std::vector<Actor>& all() const { return actors_; }

 private:
  std::vector<Actor> actors_;
};

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
