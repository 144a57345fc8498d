// Numbers and strings.
#include <cmath>

#include "base/utf8.h"
#include "tool/internal/filled.h"
#include "tool/internal/json_text.h"
#include "tool/internal/schema_validator.h"
#include "tool/output_text.h"

namespace clever::tool::internal {
namespace {

using Json = nlohmann::json;

bool is_multiple(const Json& value, const Json& of) {
  if (value.is_number_integer() && of.is_number_integer()) {
    if (value.is_number_unsigned())
      return value.get<std::uint64_t>() % of.get<std::uint64_t>() == 0;
    return value.get<std::int64_t>() % of.get<std::int64_t>() == 0;
  }
  const double quotient = value.get<double>() / of.get<double>();
  return std::abs(quotient - std::round(quotient)) < 1e-9 * std::max(1.0, std::abs(quotient));
}

std::size_t characters(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); ++count) at += base::decode_utf8(text, at).size;
  return count;
}

}  // namespace

void SchemaValidator::check_number(const Json& schema, const Place& place) {
  const auto limit = [&](const char* keyword, std::string_view words, auto holds) {
    const auto bound = schema.find(keyword);
    if (bound == schema.end() || holds(place.value, *bound)) return;
    place.wrong(filled("must be {} {}, but is {}", words, shown(*bound), shown(place.value)));
  };
  limit("minimum", "at least", [](const Json& v, const Json& b) { return v >= b; });
  limit("maximum", "at most", [](const Json& v, const Json& b) { return v <= b; });
  limit("exclusiveMinimum", "more than", [](const Json& v, const Json& b) { return v > b; });
  limit("exclusiveMaximum", "less than", [](const Json& v, const Json& b) { return v < b; });
  limit("multipleOf", "a multiple of", is_multiple);
}

void SchemaValidator::check_string(const Json& schema, const Place& place) {
  const auto& text = place.value.get_ref<const std::string&>();
  const auto least = schema.find("minLength");
  const auto most = schema.find("maxLength");
  const std::size_t length = least == schema.end() && most == schema.end() ? 0 : characters(text);
  if (least != schema.end() && length < least->get<std::uint64_t>()) {
    place.wrong(filled("must have at least {}, but has {}",
                       counted(least->get<std::uint64_t>(), "character"), length));
  }
  if (most != schema.end() && length > most->get<std::uint64_t>()) {
    place.wrong(filled("must have at most {}, but has {}",
                       counted(most->get<std::uint64_t>(), "character"), length));
  }
  const auto pattern = schema.find("pattern");
  if (pattern == schema.end()) return;
  const auto& expression = pattern->get_ref<const std::string&>();
  if (!patterns_.matches(expression, text)) {
    place.wrong(filled("must match the regular expression `{}`, but is {}", expression,
                       shown(place.value)));
  }
}

}  // namespace clever::tool::internal
