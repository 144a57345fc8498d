#include <algorithm>
#include <set>

#include "tool/internal/filled.h"
#include "tool/internal/json_text.h"
#include "tool/internal/schema_validator.h"
#include "tool/output_text.h"

namespace clever::tool::internal {
namespace {

using Json = nlohmann::json;

struct LessByValue {
  bool operator()(const Json* left, const Json* right) const { return *left < *right; }
};

const Json* first_repeated(const Json& list) {
  std::set<const Json*, LessByValue> seen;
  for (const Json& item : list) {
    if (!seen.insert(&item).second) return &item;
  }
  return nullptr;
}

// A schema for each position and one for the rest: `items` as a list with `additionalItems`, or
// `prefixItems` with `items` in later drafts.
struct ItemSchemas {
  const Json* first = nullptr;
  const Json* rest = nullptr;

  [[nodiscard]] const Json* of(std::size_t index) const {
    return first != nullptr && index < first->size() ? &(*first)[index] : rest;
  }
};

const Json* member(const Json& schema, const char* name) {
  const auto found = schema.find(name);
  return found == schema.end() ? nullptr : &*found;
}

ItemSchemas item_schemas(const Json& schema) {
  const Json* items = member(schema, "items");
  if (const Json* prefix = member(schema, "prefixItems")) return {prefix, items};
  if (items != nullptr && items->is_array()) return {items, member(schema, "additionalItems")};
  return {nullptr, items};
}

}  // namespace

void SchemaValidator::check_array(const Json& schema, const Place& place) {
  const std::size_t size = place.value.size();
  const auto bound = [&](const char* keyword, std::string_view words, auto holds) {
    const auto limit = schema.find(keyword);
    if (limit == schema.end() || holds(size, limit->get<std::uint64_t>())) return;
    place.wrong(filled("must have at {} {}, but has {}", words,
                       counted(limit->get<std::uint64_t>(), "element"), size));
  };
  bound("minItems", "least", std::greater_equal<std::uint64_t>());
  bound("maxItems", "most", std::less_equal<std::uint64_t>());
  if (schema.value("uniqueItems", false)) {
    if (const Json* repeated = first_repeated(place.value)) {
      place.wrong(filled("must not have an element twice, but has {}", shown(*repeated)));
    }
  }
  check_items(schema, place);
  const auto contains = schema.find("contains");
  const auto wanted = [&](const Json& item) {
    return fits(*contains, {item, place.path, place.problems});
  };
  if (contains != schema.end() && std::ranges::none_of(place.value, wanted)) {
    place.wrong(filled("must have an element that fits {}", shown(*contains)));
  }
}

void SchemaValidator::check_items(const Json& schema, const Place& place) {
  const ItemSchemas schemas = item_schemas(schema);
  for (std::size_t i = 0; i < place.value.size() && !exhausted_; ++i) {
    const Json* item_schema = schemas.of(i);
    if (item_schema == nullptr) continue;
    const std::string path = place.path + "/" + std::to_string(i);
    check(*item_schema, {place.value[i], path, place.problems});
  }
}

}  // namespace clever::tool::internal
