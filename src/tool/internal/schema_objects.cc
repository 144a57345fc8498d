
#include "base/nearest.h"
#include "tool/internal/filled.h"
#include "tool/internal/json_text.h"
#include "tool/internal/schema_validator.h"
#include "tool/output_text.h"

namespace clever::tool::internal {
namespace {

using Json = nlohmann::json;

// Escapes a name for a JSON pointer.
std::string escaped(std::string_view name) {
  std::string text;
  for (const char c : name) {
    if (c == '~') {
      text += "~0";
    } else if (c == '/') {
      text += "~1";
    } else {
      text += c;
    }
  }
  return text;
}

std::string in_quotes(std::string_view name) { return shown(Json(name)); }

std::vector<std::string> names_of(const Json& schema) {
  std::vector<std::string> names;
  const auto properties = schema.find("properties");
  if (properties == schema.end()) return names;
  for (const auto& entry : properties->items()) names.push_back(entry.key());
  return names;
}

std::string unknown(const Json& schema, const std::string& name) {
  const std::vector<std::string> names = names_of(schema);
  std::string text = "has no property " + in_quotes(name);
  if (names.empty()) return text + "; it must be {}";
  if (const auto nearest = base::nearest_match(name, names)) {
    text += "; did you mean " + in_quotes(*nearest) + "?";
  }
  text += text.ends_with('?') ? " Known: " : "; known: ";
  for (std::size_t i = 0; i < names.size(); ++i) text += (i == 0 ? "" : ", ") + names[i];
  return text;
}

}  // namespace

void SchemaValidator::check_object(const Json& schema, const Place& place) {
  const std::size_t size = place.value.size();
  const auto bound = [&](const char* keyword, std::string_view words, auto holds) {
    const auto limit = schema.find(keyword);
    if (limit == schema.end() || holds(size, limit->get<std::uint64_t>())) return;
    place.wrong(filled("must have at {} {} properties, but has {}", words, shown(*limit), size));
  };
  bound("minProperties", "least", std::greater_equal<std::uint64_t>());
  bound("maxProperties", "most", std::less_equal<std::uint64_t>());
  check_required(schema, place);
  check_members(schema, place);
  check_dependencies(schema, place);
}

void SchemaValidator::check_required(const Json& schema, const Place& place) {
  const auto required = schema.find("required");
  if (required == schema.end()) return;
  for (const Json& name : *required) {
    if (place.value.contains(name.get_ref<const std::string&>())) continue;
    place.wrong(filled("the property {} is missing", shown(name)));
  }
}

void SchemaValidator::check_members(const Json& schema, const Place& place) {
  const auto properties = schema.find("properties");
  const auto names = schema.find("propertyNames");
  for (const auto& [name, value] : place.value.items()) {
    if (exhausted_) return;
    const std::string path = place.path + "/" + escaped(name);
    const Place member{value, path, place.problems};
    if (names != schema.end() && !fits(*names, {Json(name), path, place.problems})) {
      member.wrong(filled("has a name that does not fit {}", shown(*names)));
    }
    bool known = check_patterns(schema, name, member);
    if (properties != schema.end() && properties->contains(name)) {
      known = true;
      check((*properties)[name], member);
    }
    if (!known) check_additional(schema, name, place, member);
  }
}

// A pattern that RE2 rejects may match any name, and says nothing about its value.
bool SchemaValidator::check_patterns(const Json& schema, const std::string& name,
                                     const Place& member) {
  const auto patterns = schema.find("patternProperties");
  if (patterns == schema.end()) return false;
  bool known = false;
  for (const auto& [pattern, member_schema] : patterns->items()) {
    if (!patterns_.matches(pattern, name)) continue;
    known = true;
    if (patterns_.knows(pattern)) check(member_schema, member);
  }
  return known;
}

void SchemaValidator::check_additional(const Json& schema, const std::string& name,
                                       const Place& object, const Place& member) {
  const auto additional = schema.find("additionalProperties");
  if (additional == schema.end()) return;
  if (additional->is_boolean()) {
    if (!additional->get<bool>()) object.wrong(unknown(schema, name));
    return;
  }
  check(*additional, member);
}

void SchemaValidator::check_dependencies(const Json& schema, const Place& place) {
  const auto dependencies = schema.find("dependencies");
  if (dependencies == schema.end()) return;
  for (const auto& [name, needed] : dependencies->items()) {
    if (!place.value.contains(name)) continue;
    if (!needed.is_array()) {
      check(needed, place);
      continue;
    }
    for (const Json& other : needed) {
      if (place.value.contains(other.get_ref<const std::string&>())) continue;
      place.wrong(filled("has {} and therefore needs {} too", in_quotes(name), shown(other)));
    }
  }
}

}  // namespace clever::tool::internal
