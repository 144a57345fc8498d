#include "tool/internal/tool_input.h"

#include <cmath>

#include "tool/internal/json_text.h"
#include "tool/json_schema.h"

namespace clever::tool::internal {
namespace {

using Json = nlohmann::json;

std::optional<std::int64_t> whole(const Json& value) {
  constexpr double kMost = 9e15;  // a double is exact below it
  if (value.is_number_unsigned()) {
    const auto number = value.get<std::uint64_t>();
    if (number > static_cast<std::uint64_t>(INT64_MAX)) return INT64_MAX;
    return static_cast<std::int64_t>(number);
  }
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (!value.is_number_float()) return std::nullopt;
  const double number = value.get<double>();
  if (std::abs(number) > kMost) return number > 0 ? INT64_MAX : INT64_MIN;
  return static_cast<std::int64_t>(number);
}

}  // namespace

base::Result<ToolInput> ToolInput::parse(std::string_view text) {
  CLEVER_ASSIGN(const Json json,
                parse_json(text, {JsonSchema::kLargestInput, JsonSchema::kDeepest}));
  if (!json.is_object()) return base::invalid_argument("the input must be an object");
  ToolInput input;
  for (const auto& [name, value] : json.items()) {
    if (value.is_string()) input.values_.emplace(name, value.get<std::string>());
    if (value.is_boolean()) input.values_.emplace(name, value.get<bool>());
    if (const auto number = whole(value)) input.values_.emplace(name, *number);
  }
  return input;
}

std::string ToolInput::text(std::string_view name) const {
  const auto* found = find<std::string>(name);
  return found == nullptr ? std::string() : *found;
}

std::optional<std::int64_t> ToolInput::integer(std::string_view name) const {
  const auto* found = find<std::int64_t>(name);
  return found == nullptr ? std::nullopt : std::optional(*found);
}

bool ToolInput::flag(std::string_view name) const {
  const auto* found = find<bool>(name);
  return found != nullptr && *found;
}

}  // namespace clever::tool::internal
