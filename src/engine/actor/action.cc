#include "engine/actor/action.h"

#include "engine/actor/internal/catalog.h"
#include "engine/actor/internal/validation_fields.h"
#include "engine/actor/internal/variables.h"
#include "engine/actor/internal/yaml_fields.h"
#include "engine/actor/new_plan.h"

namespace clever::engine {
namespace {

using internal::YamlFields;
using model::YamlValue;

const std::vector<std::string>& keys() {
  static const std::vector<std::string> kKeys = {"name",
                                                 "description",
                                                 "definition_of_done",
                                                 "strategy_actor",
                                                 "execution_actor",
                                                 "estimation_actor",
                                                 "invariant_actor",
                                                 "arguments",
                                                 "invariants",
                                                 "validations",
                                                 "automation_profile",
                                                 "safety_profile",
                                                 "read_only",
                                                 "reusable"};
  return kKeys;
}

class ActionReader {
 public:
  explicit ActionReader(const YamlFields& fields) : fields_(fields) {}

  base::Result<Action> read() {
    CLEVER_TRY(read_name("name", action_.name));
    CLEVER_TRY(fields_.text("description", action_.description));
    CLEVER_TRY(fields_.text("definition_of_done", action_.definition_of_done));
    CLEVER_TRY(read_actors());
    CLEVER_TRY(fields_.arguments("arguments", action_.arguments));
    CLEVER_TRY(fields_.texts("invariants", action_.invariants));
    CLEVER_TRY(internal::read_validations(fields_, "validations", action_.validations));
    CLEVER_TRY(read_profiles());
    CLEVER_TRY(fields_.flag("read_only", action_.read_only));
    CLEVER_TRY(fields_.flag("reusable", action_.reusable));
    CLEVER_TRY(check_texts());
    action_.place = fields_.file();
    return std::move(action_);
  }

 private:
  base::Result<void> read_name(std::string_view key, std::string& into) const {
    if (!fields_.has(key)) return {};
    CLEVER_TRY(fields_.text(key, into));
    auto name = internal::qualified_name(into);
    if (!name.ok()) return fields_.error(key, *fields_.find(key), ": " + name.error().message());
    into = std::move(*name);
    return {};
  }

  base::Result<void> read_actors() {
    CLEVER_TRY(read_name("execution_actor", action_.execution_actor));
    CLEVER_TRY(read_name("strategy_actor", action_.strategy_actor));
    CLEVER_TRY(read_name("estimation_actor", action_.estimation_actor));
    CLEVER_TRY(read_name("invariant_actor", action_.invariant_actor));
    for (const std::string_view key : {"estimation_actor", "invariant_actor"}) {
      CLEVER_TRY(check_role(key));
    }
    return {};
  }
  // The execution actor has these roles too.
  base::Result<void> check_role(std::string_view key) const {
    std::string name;
    CLEVER_TRY(read_name(key, name));
    if (name.empty() || name == action_.execution_actor) return {};
    return fields_.error(key, *fields_.find(key),
                         "is " + name + ", but must be the execution_actor (" +
                             action_.execution_actor + "), who looks after that too; remove it");
  }

  base::Result<void> read_profiles() {
    CLEVER_TRY(fields_.text("automation_profile", action_.automation_profile));
    if (fields_.has("automation_profile")) {
      auto known = check_profile(action_.automation_profile);
      if (!known.ok()) {
        return fields_.error("automation_profile", *fields_.find("automation_profile"),
                             ": " + known.error().message());
      }
    }
    CLEVER_TRY(fields_.text("safety_profile", action_.safety_profile));
    if (action_.safety_profile.empty() || action_.safety_profile == "default") return {};
    return fields_.wrong("safety_profile", *fields_.find("safety_profile"), "default");
  }

  base::Result<void> check_texts() const {
    const std::vector<std::string> known = internal::names_of(action_.arguments);
    CLEVER_TRY(check_text("description", action_.description, known));
    CLEVER_TRY(check_text("definition_of_done", action_.definition_of_done, known));
    for (const std::string& invariant : action_.invariants) {
      CLEVER_TRY(check_text("invariants", invariant, known));
    }
    return {};
  }
  base::Result<void> check_text(std::string_view key, const std::string& text,
                                const std::vector<std::string>& known) const {
    auto variables = internal::check_variables(text, known);
    if (variables.ok()) return {};
    return fields_.error(key, *fields_.find(key), ": " + variables.error().message());
  }

  const YamlFields& fields_;
  Action action_;
};

Action task_action() {
  return {.name = "local/task", .description = "Works on a task that a person states."};
}

}  // namespace

base::Result<Action> action_from_yaml(std::string_view text, std::string_view file) {
  CLEVER_ASSIGN(const YamlValue document, model::read_yaml(text, file));
  CLEVER_ASSIGN(const YamlFields fields,
                YamlFields::of(document, file, "", keys(), {"name", "description"}));
  return ActionReader(fields).read();
}

base::Result<ActionCatalog> ActionCatalog::load(
    const std::vector<std::filesystem::path>& folders,
    const std::vector<std::filesystem::path>& project_folders) {
  std::vector<std::filesystem::path> all = folders;
  all.insert(all.end(), project_folders.begin(), project_folders.end());
  ActionCatalog catalog;
  CLEVER_ASSIGN(catalog.actions_, internal::load_catalog(std::vector{task_action()}, all, "action",
                                                         action_from_yaml));
  for (Action& action : catalog.actions_) {
    const std::filesystem::path folder = std::filesystem::path(action.place).parent_path();
    action.of_project = !action.place.empty() &&
                        std::ranges::find(project_folders, folder) != project_folders.end();
  }
  return catalog;
}

base::Result<Action> ActionCatalog::find(std::string_view name) const {
  return internal::find_in_catalog(actions_, "action", name);
}

}  // namespace clever::engine
