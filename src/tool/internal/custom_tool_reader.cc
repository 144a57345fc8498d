#include "tool/internal/custom_tool_reader.h"

#include <algorithm>
#include <array>

#include "base/number.h"
#include "model/yaml.h"
#include "tool/internal/filled.h"
#include "tool/json_schema.h"
#include "tool/registry.h"

namespace clever::tool::internal {
namespace {

using model::yaml_error;
using model::YamlValue;
using YamlKind = YamlValue::Kind;

constexpr std::int64_t kLongestTimeout = 24 * 60 * 60;

struct Flag {
  std::string_view name;
  bool Capabilities::* flag;
};
constexpr auto kFlags = std::to_array<Flag>({
    {"read_only", &Capabilities::read_only},
    {"writes", &Capabilities::writes},
    {"checkpointable", &Capabilities::checkpointable},
    {"side_effects", &Capabilities::side_effects},
    {"idempotent", &Capabilities::idempotent},
    {"unsafe", &Capabilities::unsafe},
});

class Reader {
 public:
  Reader(const std::string& file, CustomTool& tool) : file_(file), tool_(tool) {}

  base::Result<void> read(const YamlValue& key, const YamlValue& value) {
    for (const Key& known : kKeys) {
      if (key.text == known.name) return (this->*known.read)(value);
    }
    std::vector<std::string> names;
    for (const Key& known : kKeys) names.emplace_back(known.name);
    return yaml_error(file_, key.line, model::unknown_word("key", key, names));
  }

 private:
  struct Key {
    std::string_view name;
    base::Result<void> (Reader::*read)(const YamlValue& value);
  };
  static const std::array<Key, 7> kKeys;

  base::Error wrong(std::string_view key, const YamlValue& value, std::string_view right) const {
    return yaml_error(file_, value.line,
                      filled("\"{}\" is {}, but must be {}", key, describe(value), right));
  }
  base::Result<std::string> text(std::string_view key, const YamlValue& value) const {
    if (value.is(YamlKind::kScalar) && !value.text.empty()) return value.text;
    return wrong(key, value, "a text");
  }

  base::Result<void> read_name(const YamlValue& value) {
    CLEVER_ASSIGN(tool_.spec.name, text("name", value));
    auto fits = check_tool_name(tool_.spec.name);
    if (!fits.ok()) return yaml_error(file_, value.line, "\"name\": " + fits.error().message());
    return {};
  }
  base::Result<void> read_description(const YamlValue& value) {
    CLEVER_ASSIGN(tool_.spec.description, text("description", value));
    return {};
  }
  base::Result<void> read_input_schema(const YamlValue& value) {
    CLEVER_ASSIGN(tool_.spec.input_schema, schema("input_schema", value));
    return {};
  }
  base::Result<void> read_output_schema(const YamlValue& value) {
    CLEVER_ASSIGN(tool_.spec.output_schema, schema("output_schema", value));
    return {};
  }
  base::Result<std::string> schema(std::string_view key, const YamlValue& value) const {
    if (!value.is(YamlKind::kMapping))
      return wrong(key, value, "a JSON Schema, written as a mapping");
    std::string json = model::yaml_to_json(value);
    auto compiled = JsonSchema::compile(json);
    if (compiled.ok()) return json;
    return yaml_error(file_, value.line, filled("\"{}\": {}", key, compiled.error().message()));
  }

  base::Result<void> read_command(const YamlValue& value) {
    constexpr std::string_view kRight =
        "a list of the program and its arguments, or one text for sh -c";
    if (value.is(YamlKind::kScalar) && !value.text.empty()) {
      tool_.argv = {"sh", "-c", value.text};
      return {};
    }
    const bool words = value.is(YamlKind::kList) && !value.items.empty() &&
                       std::ranges::all_of(value.items, [](const YamlValue& item) {
                         return item.is(YamlKind::kScalar);
                       });
    if (!words || value.items.front().text.empty()) return wrong("command", value, kRight);
    for (const YamlValue& item : value.items) tool_.argv.push_back(item.text);
    return {};
  }

  base::Result<void> read_timeout(const YamlValue& value) {
    const std::int64_t seconds = base::to_number<std::int64_t>(value.text).value_or(0);
    if (!value.is(YamlKind::kScalar) || seconds < 1 || seconds > kLongestTimeout) {
      return wrong("timeout_s", value, filled("seconds from 1 to {}", kLongestTimeout));
    }
    tool_.spec.timeout = std::chrono::seconds(seconds);
    return {};
  }

  base::Result<void> read_capabilities(const YamlValue& value) {
    if (!value.is(YamlKind::kList)) {
      return wrong("capabilities", value, "a list such as [read_only] or [writes, side_effects]");
    }
    Capabilities& capabilities = tool_.spec.capabilities = {.checkpointable = false};
    for (const YamlValue& item : value.items) CLEVER_TRY(read_capability(item, capabilities));
    if (!capabilities.read_only || !capabilities.writes) return {};
    return yaml_error(file_, value.line,
                      "\"capabilities\": a tool is read_only or writes, not both");
  }
  base::Result<void> read_capability(const YamlValue& word, Capabilities& capabilities) const {
    const auto found = std::ranges::find(kFlags, word.text, &Flag::name);
    if (word.is(YamlKind::kScalar) && found != kFlags.end()) {
      capabilities.*(found->flag) = true;
      return {};
    }
    std::vector<std::string> names;
    for (const Flag& flag : kFlags) names.emplace_back(flag.name);
    return yaml_error(file_, word.line,
                      "\"capabilities\": " + model::unknown_word("capability", word, names));
  }

  const std::string& file_;
  CustomTool& tool_;
};

const std::array<Reader::Key, 7> Reader::kKeys = {{
    {"name", &Reader::read_name},
    {"description", &Reader::read_description},
    {"input_schema", &Reader::read_input_schema},
    {"output_schema", &Reader::read_output_schema},
    {"command", &Reader::read_command},
    {"timeout_s", &Reader::read_timeout},
    {"capabilities", &Reader::read_capabilities},
}};

bool has_key(const YamlValue& mapping, std::string_view key) {
  return std::ranges::any_of(mapping.members,
                             [&](const auto& member) { return member.first.text == key; });
}

}  // namespace

base::Result<CustomTool> read_custom_tool(const YamlValue& mapping, const std::string& file) {
  if (!mapping.is(YamlKind::kMapping)) {
    return yaml_error(file, mapping.line,
                      filled("a tool is {}, but must be a mapping with the keys name, "
                             "description, input_schema and command",
                             describe(mapping)));
  }
  CustomTool tool{.spec = {.capabilities = {.writes = true}, .source = Source::kCustom},
                  .place = filled("{}:{}", file, mapping.line)};
  Reader reader(file, tool);
  for (const auto& [key, value] : mapping.members) CLEVER_TRY(reader.read(key, value));
  for (const std::string_view needed : {"name", "description", "input_schema", "command"}) {
    if (has_key(mapping, needed)) continue;
    return yaml_error(file, mapping.line, filled("the key \"{}\" is missing", needed));
  }
  return tool;
}

}  // namespace clever::tool::internal
