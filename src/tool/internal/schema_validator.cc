#include "tool/internal/schema_validator.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "tool/internal/filled.h"
#include "tool/internal/json_text.h"
#include "tool/internal/schema_check.h"

namespace clever::tool::internal {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMostSteps = 300'000;
constexpr std::size_t kDeepestCheck = 400;

bool is_of_type(const Json& value, std::string_view type) {
  if (type == "integer") {
    const bool whole =
        value.is_number_float() && value.get<double>() == std::floor(value.get<double>());
    return value.is_number_integer() || whole;
  }
  if (type == "number") return value.is_number();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  return value.is_null();
}

std::string_view with_article(std::string_view type) {
  if (type == "integer") return "an integer";
  if (type == "number") return "a number";
  if (type == "string") return "a string";
  if (type == "boolean") return "true or false";
  if (type == "object") return "an object";
  if (type == "array") return "a list";
  return "null";
}

std::string actual(const Json& value) {
  if (value.is_null()) return "null";
  return filled("{} ({})", kind_of(value), shown(value));
}

std::string listed(const Json& values) {
  constexpr std::size_t kMost = 20;
  std::string text;
  for (std::size_t i = 0; i < std::min(values.size(), kMost); ++i) {
    text += (i == 0 ? "" : ", ") + shown(values[i]);
  }
  return text + (values.size() > kMost ? ", …" : "");
}

// Returns the failed branch in which the value got furthest.
std::size_t furthest(const std::vector<Problems>& branches) {
  const auto depth = [](const Problems& problems) {
    std::size_t deepest = 0;
    for (const Problem& problem : problems) deepest = std::max(deepest, problem.path.size());
    return deepest;
  };
  std::size_t best = 0;
  for (std::size_t i = 1; i < branches.size(); ++i) {
    const std::size_t here = depth(branches[i]);
    const std::size_t there = depth(branches[best]);
    const bool better =
        here > there || (here == there && branches[i].size() < branches[best].size());
    if (better) best = i;
  }
  return best;
}

}  // namespace

Problems SchemaValidator::check(const Json& value) {
  Problems problems;
  check(root_, {value, std::string(), problems});
  return problems;
}

void SchemaValidator::check(const Json& schema, const Place& place) {
  if (exhausted_ || ++steps_ > kMostSteps || depth_ >= kDeepestCheck) {
    exhausted_ = true;
    return;
  }
  ++depth_;
  check_keywords(schema, place);
  --depth_;
}

void SchemaValidator::check_keywords(const Json& schema, const Place& place) {
  if (schema.is_boolean()) {
    if (!schema.get<bool>()) place.wrong("is not allowed here; leave it out");
    return;
  }
  // In draft 7, keywords beside a reference do not count.
  if (const auto reference = schema.find("$ref"); reference != schema.end()) {
    return check(*follow_reference(root_, reference->get_ref<const std::string&>()), place);
  }
  const std::size_t before = place.problems.size();
  check_type(schema, place);
  if (place.problems.size() > before) return;
  check_values(schema, place);
  if (place.value.is_number()) check_number(schema, place);
  if (place.value.is_string()) check_string(schema, place);
  if (place.value.is_array()) check_array(schema, place);
  if (place.value.is_object()) check_object(schema, place);
  check_combined(schema, place);
}

bool SchemaValidator::fits(const Json& schema, const Place& place) {
  Problems problems;
  check(schema, {place.value, place.path, problems});
  return problems.empty();
}

void SchemaValidator::check_type(const Json& schema, const Place& place) {
  const auto type = schema.find("type");
  if (type == schema.end()) return;
  const Json types = type->is_array() ? *type : Json::array({*type});
  std::string wanted;
  for (const Json& one : types) {
    const auto& name = one.get_ref<const std::string&>();
    if (is_of_type(place.value, name)) return;
    wanted += (wanted.empty() ? "" : " or ") + std::string(with_article(name));
  }
  place.wrong(filled("must be {}, but is {}", wanted, actual(place.value)));
}

void SchemaValidator::check_values(const Json& schema, const Place& place) {
  if (const auto values = schema.find("enum"); values != schema.end()) {
    if (std::ranges::find(*values, place.value) == values->end()) {
      place.wrong(filled("must be one of {}, but is {}", listed(*values), shown(place.value)));
    }
  }
  if (const auto only = schema.find("const"); only != schema.end() && *only != place.value) {
    place.wrong(filled("must be {}, but is {}", shown(*only), shown(place.value)));
  }
}

void SchemaValidator::check_combined(const Json& schema, const Place& place) {
  if (const auto all = schema.find("allOf"); all != schema.end()) {
    for (const Json& one : *all) check(one, place);
  }
  if (const auto any = schema.find("anyOf"); any != schema.end()) {
    check_several(*any, Several::kAny, place);
  }
  if (const auto one = schema.find("oneOf"); one != schema.end()) {
    check_several(*one, Several::kOne, place);
  }
  if (const auto no = schema.find("not"); no != schema.end() && fits(*no, place)) {
    place.wrong(filled("must not fit {}, but is {}", shown(*no), shown(place.value)));
  }
  check_condition(schema, place);
}

void SchemaValidator::check_several(const Json& schemas, Several how, const Place& place) {
  std::vector<Problems> branches;
  for (const Json& schema : schemas) {
    Problems problems;
    check(schema, {place.value, place.path, problems});
    if (!problems.empty()) branches.push_back(std::move(problems));
    if (exhausted_) return;
  }
  const std::size_t fitting = schemas.size() - branches.size();
  if (fitting > 1 && how == Several::kOne) {
    place.wrong(filled("fits {} of the {} allowed forms, but must fit exactly one", fitting,
                       schemas.size()));
  }
  if (fitting > 0) return;
  place.wrong(filled("fits none of the {} allowed forms; the nearest wants:", schemas.size()));
  std::ranges::move(branches[furthest(branches)], std::back_inserter(place.problems));
}

void SchemaValidator::check_condition(const Json& schema, const Place& place) {
  const auto condition = schema.find("if");
  if (condition == schema.end()) return;
  const auto branch = schema.find(fits(*condition, place) ? "then" : "else");
  if (branch != schema.end()) check(*branch, place);
}

}  // namespace clever::tool::internal
