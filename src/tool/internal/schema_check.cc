#include "tool/internal/schema_check.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <vector>

#include "tool/internal/filled.h"
#include "tool/internal/json_text.h"

namespace clever::tool::internal {
namespace {

using Json = nlohmann::json;

constexpr std::array<std::string_view, 7> kTypes = {"null",   "boolean", "object", "array",
                                                    "number", "string",  "integer"};

enum class Form : std::uint8_t {
  kSchema,
  kSchemas,        // a list of them
  kSchemaOrList,   // items
  kNamedSchemas,   // properties
  kNamedPatterns,  // patternProperties
  kDependencies,   // names or a schema each
  kType,
  kNames,  // a list of strings
  kList,
  kCount,
  kNumber,
  kPositive,
  kFlag,
  kPattern,
  kReference,
};

struct Keyword {
  std::string_view name;
  Form form;
};

constexpr auto kKeywords = std::to_array<Keyword>({
    {"type", Form::kType},
    {"enum", Form::kList},
    {"properties", Form::kNamedSchemas},
    {"definitions", Form::kNamedSchemas},
    {"$defs", Form::kNamedSchemas},
    {"patternProperties", Form::kNamedPatterns},
    {"dependencies", Form::kDependencies},
    {"additionalProperties", Form::kSchema},
    {"propertyNames", Form::kSchema},
    {"required", Form::kNames},
    {"items", Form::kSchemaOrList},
    {"prefixItems", Form::kSchemas},
    {"additionalItems", Form::kSchema},
    {"contains", Form::kSchema},
    {"allOf", Form::kSchemas},
    {"anyOf", Form::kSchemas},
    {"oneOf", Form::kSchemas},
    {"not", Form::kSchema},
    {"if", Form::kSchema},
    {"then", Form::kSchema},
    {"else", Form::kSchema},
    {"minLength", Form::kCount},
    {"maxLength", Form::kCount},
    {"minItems", Form::kCount},
    {"maxItems", Form::kCount},
    {"minProperties", Form::kCount},
    {"maxProperties", Form::kCount},
    {"minimum", Form::kNumber},
    {"maximum", Form::kNumber},
    {"exclusiveMinimum", Form::kNumber},
    {"exclusiveMaximum", Form::kNumber},
    {"multipleOf", Form::kPositive},
    {"uniqueItems", Form::kFlag},
    {"pattern", Form::kPattern},
    {"$ref", Form::kReference},
});

bool is_type(const Json& value) {
  return value.is_string() &&
         std::ranges::find(kTypes, value.get_ref<const std::string&>()) != kTypes.end();
}
bool is_text_list(const Json& value) {
  return value.is_array() &&
         std::ranges::all_of(value, [](const Json& v) { return v.is_string(); });
}
bool is_count(const Json& value) { return value.is_number_integer() && value >= 0; }

// Targets of references wait in a list: they may lead back, or on without end.
class Checker {
 public:
  Checker(const Json& root, SchemaPatterns& patterns) : root_(root), patterns_(patterns) {}

  base::Result<void> check_all() {
    CLEVER_TRY(check(root_, ""));
    while (!waiting_.empty()) {
      const Waiting next = std::move(waiting_.back());
      waiting_.pop_back();
      CLEVER_TRY(check(*next.schema, next.place));
    }
    return {};
  }

 private:
  base::Result<void> check(const Json& schema, const std::string& place) {
    if (schema.is_boolean()) return {};
    if (!schema.is_object()) return wrong(place, schema, "a schema: an object, true or false");
    for (const Keyword& keyword : kKeywords) {
      const auto found = schema.find(keyword.name);
      if (found == schema.end()) continue;
      CLEVER_TRY(check_keyword(keyword.form, *found, place + "/" + std::string(keyword.name)));
    }
    return {};
  }

  static base::Error wrong(const std::string& place, const Json& value, std::string_view right) {
    return base::invalid_argument(filled("the schema at {} is {}, but must be {}",
                                         place.empty() ? "its root" : place, shown(value), right));
  }
  static base::Result<void> expect(bool holds, const std::string& place, const Json& value,
                                   std::string_view right) {
    if (holds) return {};
    return wrong(place, value, right);
  }

  base::Result<void> check_keyword(Form form, const Json& value, const std::string& place) {
    switch (form) {
      case Form::kSchema:
        return check(value, place);
      case Form::kSchemas:
        return check_list(value, place);
      case Form::kSchemaOrList:
        return value.is_array() ? check_each(value, place) : check(value, place);
      case Form::kNamedSchemas:
      case Form::kNamedPatterns:
      case Form::kDependencies:
        return check_named(form, value, place);
      case Form::kPattern:
        return check_pattern(value, place);
      case Form::kReference:
        return check_reference(value, place);
      default:
        return check_plain(form, value, place);
    }
  }

  static base::Result<void> check_plain(Form form, const Json& value, const std::string& place) {
    switch (form) {
      case Form::kType:
        return expect(is_type(value) || (value.is_array() && !value.empty() &&
                                         std::ranges::all_of(value, is_type)),
                      place, value,
                      "\"string\", \"number\", \"integer\", \"boolean\", \"object\", \"array\", "
                      "\"null\" or a list of these");
      case Form::kNames:
        return expect(is_text_list(value), place, value, "a list of names");
      case Form::kList:
        return expect(value.is_array() && !value.empty(), place, value, "a list of values");
      case Form::kCount:
        return expect(is_count(value), place, value, "an integer from 0");
      case Form::kPositive:
        return expect(value.is_number() && value > 0, place, value, "a number above 0");
      case Form::kFlag:
        return expect(value.is_boolean(), place, value, "true or false");
      default:
        return expect(value.is_number(), place, value, "a number");
    }
  }

  base::Result<void> check_list(const Json& value, const std::string& place) {
    if (!value.is_array() || value.empty()) return wrong(place, value, "a list of schemas");
    return check_each(value, place);
  }
  base::Result<void> check_each(const Json& list, const std::string& place) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      CLEVER_TRY(check(list[i], place + "/" + std::to_string(i)));
    }
    return {};
  }

  base::Result<void> check_named(Form form, const Json& value, const std::string& place) {
    if (!value.is_object()) return wrong(place, value, "an object with a schema for each name");
    for (const auto& [name, schema] : value.items()) {
      if (form == Form::kNamedPatterns) patterns_.add(name);
      if (form == Form::kDependencies && is_text_list(schema)) continue;
      CLEVER_TRY(check(schema, place + "/" + name));
    }
    return {};
  }

  base::Result<void> check_pattern(const Json& value, const std::string& place) {
    if (!value.is_string()) return wrong(place, value, "a regular expression");
    patterns_.add(value.get_ref<const std::string&>());
    return {};
  }

  // A reference may lead outside the known keywords, so its target is checked too, once.
  base::Result<void> check_reference(const Json& value, const std::string& place) {
    const Json* target =
        value.is_string() ? follow_reference(root_, value.get_ref<const std::string&>()) : nullptr;
    if (target == nullptr) {
      return wrong(place, value,
                   "a reference within the schema, such as \"#/definitions/name\", to something "
                   "that is there");
    }
    if (followed_.insert(target).second) waiting_.push_back({target, value.get<std::string>()});
    return {};
  }

  struct Waiting {
    const Json* schema;
    std::string place;
  };

  const Json& root_;
  SchemaPatterns& patterns_;
  std::set<const Json*> followed_;
  std::vector<Waiting> waiting_;
};

}  // namespace

base::Result<void> check_schema(const Json& schema, SchemaPatterns& patterns) {
  return Checker(schema, patterns).check_all();
}

const Json* follow_reference(const Json& root, const std::string& reference) {
  if (!reference.starts_with("#")) return nullptr;
  try {
    const Json::json_pointer pointer(reference.substr(1));
    return root.contains(pointer) ? &root.at(pointer) : nullptr;
  } catch (const Json::exception&) {
    return nullptr;
  }
}

}  // namespace clever::tool::internal
