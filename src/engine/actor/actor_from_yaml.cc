#include <algorithm>
#include <array>

#include "engine/actor/internal/agent_reader.h"
#include "engine/actor/internal/graph_reader.h"
#include "engine/actor/internal/step_reader.h"
#include "engine/actor/internal/variables.h"
#include "engine/actor/internal/yaml_fields.h"
#include "engine/actor/tool_actor.h"

namespace clever::engine {
namespace {

using internal::YamlFields;
using model::YamlValue;
using YamlKind = YamlValue::Kind;

constexpr std::int64_t kMostParts = 256;
constexpr std::int64_t kUsualParts = 16;
constexpr std::size_t kMostSteps = 1000;
constexpr std::size_t kLongestSystem = std::size_t{32} << 10U;

constexpr std::array<ActorType, 4> kActorTypes{ActorType::kLlm, ActorType::kTool, ActorType::kGraph,
                                               ActorType::kAgent};
constexpr std::array<std::pair<std::string_view, ActorType>, 30> kOwned{{
    {"system", ActorType::kLlm},
    {"model", ActorType::kLlm},
    {"steps", ActorType::kTool},
    {"split", ActorType::kTool},
    {"nodes", ActorType::kGraph},
    {"edges", ActorType::kGraph},
    {"entry", ActorType::kGraph},
    {"exits", ActorType::kGraph},
    {"command", ActorType::kAgent},
    {"protocol", ActorType::kAgent},
    {"prompt", ActorType::kAgent},
    {"network", ActorType::kAgent},
    {"folders", ActorType::kAgent},
    {"environment", ActorType::kAgent},
    {"timeout_s", ActorType::kAgent},
    {"like", ActorType::kAgent},
    {"acp", ActorType::kAgent},
    {"acp_mode", ActorType::kAgent},
    {"acp_set", ActorType::kAgent},
    {"stream", ActorType::kAgent},
    {"choose_model", ActorType::kAgent},
    {"start_session", ActorType::kAgent},
    {"resume_session", ActorType::kAgent},
    {"hosts", ActorType::kAgent},
    {"set", ActorType::kAgent},
    {"login", ActorType::kAgent},
    {"settings", ActorType::kAgent},
    {"install", ActorType::kAgent},
    {"log_in", ActorType::kAgent},
    {"provider", ActorType::kAgent},
}};

bool is_known(std::string_view key) {
  constexpr std::array<std::string_view, 4> kCommon{"name", "type", "description", "arguments"};
  return std::ranges::find(kCommon, key) != kCommon.end() ||
         std::ranges::any_of(kOwned, [&](const auto& owned) { return owned.first == key; });
}

// Returns the keys that an actor of this type may have; all keys if the type is unknown.
std::vector<std::string> keys_for(const YamlValue& document) {
  std::string type;
  bool odd = false;
  for (const auto& [key, value] : document.members) {
    if (key.text == "type") type = value.text;
    odd = odd || !is_known(key.text);
  }
  std::vector<std::string> keys = {"name", "type", "description", "arguments"};
  for (const auto& [key, of] : kOwned) {
    if (!odd || to_string(of) == type) keys.emplace_back(key);
  }
  return keys;
}

class ActorReader {
 public:
  explicit ActorReader(const YamlFields& fields) : fields_(fields) {}

  base::Result<Actor> read() {
    CLEVER_TRY(read_name());
    CLEVER_TRY(read_type());
    CLEVER_TRY(fields_.text("description", actor_.description));
    CLEVER_TRY(fields_.arguments("arguments", actor_.arguments));
    CLEVER_TRY(refuse_others());
    CLEVER_TRY(read_kind());
    actor_.place = fields_.file();
    return std::move(actor_);
  }

 private:
  base::Result<void> read_name() {
    CLEVER_TRY(fields_.text("name", actor_.name));
    auto name = internal::qualified_name(actor_.name);
    if (!name.ok())
      return fields_.error("name", *fields_.find("name"), ": " + name.error().message());
    actor_.name = std::move(*name);
    return {};
  }

  base::Result<void> read_type() {
    std::string type;
    CLEVER_TRY(fields_.text("type", type));
    std::vector<std::string> known;
    for (const ActorType each : kActorTypes) {
      if (type == to_string(each)) {
        actor_.type = each;
        return {};
      }
      known.emplace_back(to_string(each));
    }
    const YamlValue& value = *fields_.find("type");
    return fields_.error("type", value, ": " + model::unknown_word("type of actor", value, known));
  }

  // Returns keys that only another type of actor has.
  [[nodiscard]] base::Result<void> refuse_others() const {
    for (const auto& [key, of] : kOwned) {
      const YamlValue* value = fields_.find(key);
      if (value == nullptr || of == actor_.type) continue;
      return fields_.error(key, *value,
                           "belongs to an actor of type " + std::string(to_string(of)) +
                               "; remove it, or change the type");
    }
    return {};
  }

  base::Result<void> read_kind() {
    switch (actor_.type) {
      case ActorType::kLlm:
        return read_model_actor();
      case ActorType::kTool:
        return read_tool_actor();
      case ActorType::kGraph:
        return internal::read_graph(fields_, actor_);
      case ActorType::kAgent:
        return internal::read_agent(fields_, actor_);
    }
    return {};
  }

  base::Result<void> read_model_actor() {
    CLEVER_TRY(fields_.text("system", actor_.system));
    if (actor_.system.size() > kLongestSystem) {
      return fields_.error("system", *fields_.find("system"), "is longer than 32 KiB; shorten it");
    }
    return fields_.text("model", actor_.model);
  }

  base::Result<void> read_tool_actor() {
    CLEVER_TRY(read_split());
    const YamlValue* steps = fields_.find("steps");
    const bool fits = steps != nullptr && steps->is(YamlKind::kList) && !steps->items.empty() &&
                      steps->items.size() <= kMostSteps;
    if (!fits) {
      return fields_.wrong("steps", steps == nullptr ? *fields_.find("type") : *steps,
                           "a list of 1 to 1000 steps such as [{replace: {find: a, replace: b}}]");
    }
    return read_steps(*steps);
  }

  base::Result<void> read_steps(const YamlValue& steps) {
    const internal::StepRules rules{.file = fields_.file(),
                                    .arguments = internal::names_of(actor_.arguments),
                                    .split = actor_.split_into > 0};
    for (std::size_t i = 0; i < steps.items.size(); ++i) {
      const std::string place = "steps[" + std::to_string(i + 1) + "]";
      CLEVER_ASSIGN(ToolActorStep step, internal::read_step(steps.items[i], place, rules));
      actor_.steps.push_back(std::move(step));
    }
    return {};
  }

  base::Result<void> read_split() {
    const YamlValue* value = fields_.find("split");
    if (value == nullptr) return {};
    CLEVER_ASSIGN(
        const YamlFields split,
        YamlFields::of(*value, fields_.file(), "split", {"glob", "contains", "regex", "into"}, {}));
    actor_.split_into = kUsualParts;
    CLEVER_TRY(split.any_text("glob", actor_.split_glob));
    CLEVER_TRY(split.any_text("contains", actor_.split_text));
    CLEVER_TRY(split.text("regex", actor_.split_regex));
    CLEVER_TRY(split.integer("into", 1, kMostParts, actor_.split_into));
    return check_split(split);
  }

  base::Result<void> check_split(const YamlFields& split) const {
    const std::vector<std::string> known = internal::names_of(actor_.arguments);
    for (const std::string_view key : {"glob", "contains", "regex"}) {
      const YamlValue* value = split.find(key);
      if (value == nullptr) continue;
      auto variables = internal::check_variables(value->text, known);
      if (!variables.ok()) return split.error(key, *value, ": " + variables.error().message());
    }
    const std::string& regex = actor_.split_regex;
    if (regex == "true" || regex == "false" || internal::sole_variable(regex)) return {};
    return split.wrong("regex", *split.find("regex"), "true, false or a variable");
  }

  const YamlFields& fields_;
  Actor actor_;
};

}  // namespace

base::Result<Actor> actor_from_yaml(std::string_view text, std::string_view file) {
  CLEVER_ASSIGN(const YamlValue document, model::read_yaml(text, file));
  CLEVER_ASSIGN(const YamlFields fields,
                YamlFields::of(document, file, "", keys_for(document), {"name", "type"}));
  return ActorReader(fields).read();
}

std::string_view to_string(ActorType type) noexcept {
  switch (type) {
    case ActorType::kTool:
      return "tool";
    case ActorType::kGraph:
      return "graph";
    case ActorType::kAgent:
      return "agent";
    case ActorType::kLlm:
      break;
  }
  return "llm";
}

std::map<std::string, std::string> arguments_for(const Actor& actor,
                                                 const std::map<std::string, std::string>& given) {
  std::map<std::string, std::string> own;
  for (const auto& [name, value] : given) {
    const bool known =
        name == "project" ||
        std::ranges::find(actor.arguments, name, &ActorArgument::name) != actor.arguments.end();
    if (known) own.emplace(name, value);
  }
  return own;
}

base::Result<std::map<std::string, std::string>> actor_arguments(
    const Actor& actor, const std::map<std::string, std::string>& given) {
  std::map<std::string, std::string> own = given;
  const auto project = own.extract("project");
  CLEVER_ASSIGN(auto values,
                internal::checked_arguments("the actor " + actor.name, actor.arguments, own));
  if (project) values["project"] = project.mapped();
  return values;
}

}  // namespace clever::engine
