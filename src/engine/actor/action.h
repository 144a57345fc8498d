#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/actor/tool_actor.h"
#include "model/control_settings.h"

namespace clever::engine {

/// A reusable template of plans. A value, read from YAML or built in ("local/task").
///
///   name: local/rename                     # namespace/name; without one it is local/
///   description: Renames ${from} to ${to} everywhere.
///   definition_of_done: All tests pass.    # optional
///   strategy_actor: local/architect        # optional
///   execution_actor: local/task            # optional
///   arguments:                             # optional
///     - {name: from, description: The old name, required: true}
///   invariants: [The public API stays.]    # optional
///   automation_profile: trusted            # optional
///   validations:                           # optional; as [[validation]] of the settings
///     - {name: tests, command: make test, timeout: 5m}
///
/// ${name} of an argument may stand in description, definition_of_done and invariants.
struct Action {
  std::string name{};
  std::string description{};
  std::string definition_of_done{};
  /// Empty: the execution actor makes the strategy too.
  std::string strategy_actor{};
  std::string execution_actor = "local/task";
  std::string estimation_actor{};
  std::string invariant_actor{};
  std::vector<ActorArgument> arguments{};
  std::vector<std::string> invariants{};
  /// Beside those of the project.
  std::vector<model::Validation> validations{};
  /// Empty: as the settings say.
  std::string automation_profile{};
  std::string safety_profile{};
  bool read_only = false;
  bool reusable = true;
  /// Of a project's own folder, whose author need not be trusted: it cannot make a plan ask less of
  /// a person than that person's settings do.
  bool of_project = false;
  /// Where it was read ("rename.yaml"); empty for a built-in one.
  std::string place{};
};

/// `invalid_argument` names file, line, key and cure; an unknown key is an error. `file` is only
/// for messages.
[[nodiscard]] base::Result<Action> action_from_yaml(std::string_view text, std::string_view file);

/// The actions that exist: "local/task", then those in the *.yaml and *.yml of the folders (the
/// home's actions/) and of the project's folders (.cleveragents/actions/), by name; a folder that
/// is not there is an empty one. Of two files with one name the later folder's counts; a built-in
/// name is an error.
///
/// A value; thread-safe once loaded.
class ActionCatalog {
 public:
  [[nodiscard]] static base::Result<ActionCatalog> load(
      const std::vector<std::filesystem::path>& folders,
      const std::vector<std::filesystem::path>& project_folders = {});
  /// `not_found` names the nearest. "task" means "local/task".
  [[nodiscard]] base::Result<Action> find(std::string_view name) const;
  [[nodiscard]] const std::vector<Action>& all() const { return actions_; }

 private:
  std::vector<Action> actions_;
};

}  // namespace clever::engine
