#include "engine/actor/internal/yaml_fields.h"

#include <algorithm>
#include <set>

#include "base/number.h"
#include "base/text.h"
#include "engine/actor/internal/variables.h"

namespace clever::engine::internal {
namespace {

using model::YamlValue;
using YamlKind = YamlValue::Kind;

bool is_name_part(std::string_view part) {
  constexpr std::size_t kLongest = 64;
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
  };
  return !part.empty() && part.size() <= kLongest && part.front() != '.' &&
         std::ranges::all_of(part, fits);
}

base::Result<void> read_type(const YamlFields& fields, ActorArgument& argument) {
  static const std::vector<std::string> kTypes = {"string",  "integer", "number",
                                                  "boolean", "choice",  "path"};
  std::string type = "string";
  CLEVER_TRY(fields.text("type", type));
  const auto known = argument_type_from_string(type);
  if (!known) {
    const YamlValue& value = *fields.find("type");
    return fields.error("type", value, ": " + model::unknown_word("type", value, kTypes));
  }
  argument.type = *known;
  CLEVER_TRY(fields.texts("choices", argument.choices));
  const bool chooses = argument.type == ArgumentType::kChoice;
  if (chooses && argument.choices.empty()) {
    return fields.error("type", *fields.find("type"),
                        "is choice, but there are no choices; add choices: [a, b]");
  }
  if (chooses || argument.choices.empty()) return {};
  return fields.error("choices", *fields.find("choices"), "belongs to type: choice");
}

base::Result<ActorArgument> read_argument(const YamlValue& value, std::string_view file,
                                          const std::string& place) {
  CLEVER_ASSIGN(
      const YamlFields fields,
      YamlFields::of(value, file, place,
                     {"name", "description", "type", "choices", "required", "default"}, {"name"}));
  ActorArgument argument;
  CLEVER_TRY(fields.text("name", argument.name));
  if (!is_variable_name(argument.name)) {
    return fields.wrong("name", *fields.find("name"),
                        "a small letter, then small letters, digits and _; at most 64");
  }
  if (is_fixed_variable(argument.name)) {
    return fields.error("name", *fields.find("name"),
                        "is a variable that every actor has; choose another name");
  }
  CLEVER_TRY(fields.any_text("description", argument.description));
  CLEVER_TRY(read_type(fields, argument));
  CLEVER_TRY(fields.flag("required", argument.required));
  CLEVER_TRY(fields.any_text("default", argument.default_value));
  if (!argument.default_value.empty() && !fits(argument, argument.default_value)) {
    return fields.wrong("default", *fields.find("default"), expectation(argument));
  }
  if (argument.required && fields.has("default")) {
    return fields.error("default", *fields.find("default"),
                        "stands beside required: true; remove one of them");
  }
  return argument;
}

}  // namespace

base::Result<YamlFields> YamlFields::of(const YamlValue& value, std::string_view file,
                                        std::string place, const std::vector<std::string>& known,
                                        const std::vector<std::string>& needed) {
  const std::string where = place.empty() ? "the file" : place;
  if (!value.is(YamlKind::kMapping)) {
    return model::yaml_error(file, value.line,
                             where + " holds " + describe(value) +
                                 ", but must hold a mapping with the keys " + base::joined(known));
  }
  YamlFields fields(value, file, std::move(place));
  for (const auto& [key, member] : value.members) {
    if (std::ranges::find(known, key.text) != known.end()) continue;
    const std::string prefix = fields.place_.empty() ? "" : fields.place_ + ": ";
    return model::yaml_error(file, key.line, prefix + model::unknown_word("key", key, known));
  }
  const auto missing =
      std::ranges::find_if(needed, [&](const std::string& key) { return !fields.has(key); });
  if (missing == needed.end()) return fields;
  return model::yaml_error(file, value.line, where + ": the key \"" + *missing + "\" is missing");
}

const YamlValue* YamlFields::find(std::string_view key) const {
  const auto found = std::ranges::find_if(
      mapping_->members, [&](const auto& member) { return member.first.text == key; });
  return found == mapping_->members.end() ? nullptr : &found->second;
}

std::string YamlFields::path_of(std::string_view key) const {
  return place_.empty() ? std::string(key) : place_ + "." + std::string(key);
}

base::Error YamlFields::error(std::string_view key, const YamlValue& value,
                              std::string_view what) const {
  return model::yaml_error(file_, value.line,
                           path_of(key) + (what.starts_with(':') ? "" : " ") + std::string(what));
}

base::Error YamlFields::wrong(std::string_view key, const YamlValue& value,
                              std::string_view right) const {
  return error(key, value, "is " + describe(value) + ", but must be " + std::string(right));
}

base::Result<void> YamlFields::text(std::string_view key, std::string& into) const {
  const YamlValue* value = find(key);
  if (value == nullptr) return {};
  if (!value->is(YamlKind::kScalar) || value->text.empty()) return wrong(key, *value, "a text");
  into = value->text;
  return {};
}

base::Result<void> YamlFields::any_text(std::string_view key, std::string& into) const {
  const YamlValue* value = find(key);
  if (value == nullptr) return {};
  if (!value->is(YamlKind::kScalar) && !value->is(YamlKind::kNull))
    return wrong(key, *value, "a text");
  into = value->text;
  return {};
}

base::Result<void> YamlFields::flag(std::string_view key, bool& into) const {
  const YamlValue* value = find(key);
  if (value == nullptr) return {};
  const bool is_flag = value->text == "true" || value->text == "false";
  if (!value->is(YamlKind::kScalar) || !is_flag) return wrong(key, *value, "true or false");
  into = value->text == "true";
  return {};
}

base::Result<void> YamlFields::integer(std::string_view key, std::int64_t least, std::int64_t most,
                                       std::int64_t& into) const {
  const YamlValue* value = find(key);
  if (value == nullptr) return {};
  const auto number = base::to_number<std::int64_t>(value->text);
  if (!value->is(YamlKind::kScalar) || !number || *number < least || *number > most) {
    return wrong(key, *value,
                 "a whole number from " + std::to_string(least) + " to " + std::to_string(most));
  }
  into = *number;
  return {};
}

base::Result<void> YamlFields::texts(std::string_view key, std::vector<std::string>& into) const {
  const YamlValue* value = find(key);
  if (value == nullptr) return {};
  const auto is_text = [](const YamlValue& item) {
    return item.is(YamlKind::kScalar) && !item.text.empty();
  };
  if (!value->is(YamlKind::kList) || !std::ranges::all_of(value->items, is_text)) {
    return wrong(key, *value, "a list of texts");
  }
  into.clear();
  for (const YamlValue& item : value->items) into.push_back(item.text);
  return {};
}

base::Result<void> YamlFields::arguments(std::string_view key,
                                         std::vector<ActorArgument>& into) const {
  const YamlValue* value = find(key);
  if (value == nullptr) return {};
  if (!value->is(YamlKind::kList)) {
    return wrong(key, *value, "a list such as [{name: from, required: true}]");
  }
  std::set<std::string> names;
  for (std::size_t i = 0; i < value->items.size(); ++i) {
    const std::string place = path_of(key) + "[" + std::to_string(i + 1) + "]";
    CLEVER_ASSIGN(ActorArgument argument, read_argument(value->items[i], file_, place));
    if (!names.insert(argument.name).second) {
      return model::yaml_error(
          file_, value->items[i].line,
          place + ": the argument \"" + argument.name + "\" is there already; rename one");
    }
    into.push_back(std::move(argument));
  }
  return {};
}

base::Result<std::string> qualified_name(std::string_view name) {
  const std::size_t slash = name.find('/');
  const std::string_view space = slash == std::string_view::npos ? "local" : name.substr(0, slash);
  const std::string_view own = slash == std::string_view::npos ? name : name.substr(slash + 1);
  if (is_name_part(space) && is_name_part(own)) return std::string(space) + "/" + std::string(own);
  return base::invalid_argument(
      "a name is namespace/name (or name, which means local/name) of small letters, digits, _, - "
      "and ., at most 64 each");
}

}  // namespace clever::engine::internal
