#include "engine/actor/internal/validation_fields.h"

#include <algorithm>
#include <string>
#include <utility>

#include "config/schema.h"

namespace clever::engine::internal {
namespace {

using model::YamlValue;
using YamlKind = YamlValue::Kind;

// The same keys as in the settings.
std::vector<std::string> known_keys() {
  std::vector<std::string> keys;
  for (const config::KeyInfo& key : config::find_table("validation")->keys)
    keys.push_back(key.name);
  return keys;
}

base::Result<void> read_command(const YamlFields& fields, model::Validation& validation) {
  const YamlValue* value = fields.find("command");
  if (value == nullptr) return {};
  if (!value->is(YamlKind::kList)) {
    std::string text;
    CLEVER_TRY(fields.text("command", text));
    validation.argv = {"sh", "-c", std::move(text)};
    return {};
  }
  const bool is_command = !value->items.empty() && !value->items.front().text.empty() &&
                          std::ranges::all_of(value->items, [](const YamlValue& item) {
                            return item.is(YamlKind::kScalar);
                          });
  if (!is_command) {
    return fields.wrong("command", *value, "a text for the shell, or a program and its arguments");
  }
  for (const YamlValue& item : value->items) validation.argv.push_back(item.text);
  return {};
}

base::Result<void> read_tool(const YamlFields& fields, model::Validation& validation) {
  CLEVER_TRY(fields.text("tool", validation.tool));
  const YamlValue* arguments = fields.find("arguments");
  if (arguments == nullptr) return {};
  if (!arguments->is(YamlKind::kMapping)) {
    return fields.wrong("arguments", *arguments, "a mapping such as {path: src}");
  }
  validation.arguments = model::yaml_to_json(*arguments);
  return {};
}

base::Result<void> read_timeout(const YamlFields& fields, model::Validation& validation) {
  if (!fields.has("timeout")) return {};
  std::string text;
  CLEVER_TRY(fields.text("timeout", text));
  const config::KeyInfo* key = config::find_key(config::find_table("validation")->keys, "timeout");
  if (!config::check_value(*key, "timeout", text).ok()) {
    return fields.wrong("timeout", *fields.find("timeout"), config::expectation(*key));
  }
  validation.timeout = config::duration_of(text);
  return {};
}

base::Result<model::Validation> read_validation(const YamlValue& value, std::string_view file,
                                                const std::string& place) {
  CLEVER_ASSIGN(const YamlFields fields,
                YamlFields::of(value, file, place, known_keys(), {"name"}));
  model::Validation validation{.origin = "action"};
  CLEVER_TRY(fields.text("name", validation.name));
  CLEVER_TRY(read_command(fields, validation));
  CLEVER_TRY(read_tool(fields, validation));
  CLEVER_TRY(fields.flag("required", validation.required));
  CLEVER_TRY(read_timeout(fields, validation));
  if (validation.argv.empty() == validation.tool.empty()) {
    return model::yaml_error(
        file, value.line,
        place +
            (validation.tool.empty() ? " has neither command nor tool" : " has command and tool") +
            "; give it one of them");
  }
  return validation;
}

}  // namespace

base::Result<void> read_validations(const YamlFields& fields, std::string_view key,
                                    std::vector<model::Validation>& into) {
  const YamlValue* value = fields.find(key);
  if (value == nullptr) return {};
  if (!value->is(YamlKind::kList)) {
    return fields.wrong(key, *value, "a list such as [{name: tests, command: make test}]");
  }
  for (std::size_t i = 0; i < value->items.size(); ++i) {
    const std::string place = fields.path_of(key) + "[" + std::to_string(i + 1) + "]";
    CLEVER_ASSIGN(model::Validation validation,
                  read_validation(value->items[i], fields.file(), place));
    if (std::ranges::find(into, validation.name, &model::Validation::name) != into.end()) {
      return model::yaml_error(
          fields.file(), value->items[i].line,
          place + ": the validation \"" + validation.name + "\" is there already; rename one");
    }
    into.push_back(std::move(validation));
  }
  return {};
}

}  // namespace clever::engine::internal
