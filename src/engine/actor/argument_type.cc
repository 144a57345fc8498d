#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "base/number.h"
#include "base/text.h"
#include "engine/actor/internal/yaml_fields.h"
#include "engine/actor/tool_actor.h"

namespace clever::engine {
namespace {

constexpr std::array<std::pair<ArgumentType, std::string_view>, 6> kArgumentTypes = {{
    {ArgumentType::kString, "string"},
    {ArgumentType::kInteger, "integer"},
    {ArgumentType::kNumber, "number"},
    {ArgumentType::kBoolean, "boolean"},
    {ArgumentType::kChoice, "choice"},
    {ArgumentType::kPath, "path"},
}};

bool is_inside(std::string_view text) {
  if (text.empty() || text.contains('\0')) return false;
  const std::filesystem::path path = std::filesystem::path(text).lexically_normal();
  return path.is_relative() && *path.begin() != "..";
}

}  // namespace

std::string_view to_string(ArgumentType type) noexcept {
  return std::ranges::find(kArgumentTypes, type, [](const auto& pair) { return pair.first; })
      ->second;
}

std::optional<ArgumentType> argument_type_from_string(std::string_view name) noexcept {
  const auto* const found =
      std::ranges::find(kArgumentTypes, name, [](const auto& pair) { return pair.second; });
  if (found == kArgumentTypes.end()) return std::nullopt;
  return found->first;
}

std::string expectation(const ActorArgument& argument) {
  switch (argument.type) {
    case ArgumentType::kString:
      return "a text";
    case ArgumentType::kInteger:
      return "a whole number";
    case ArgumentType::kNumber:
      return "a number";
    case ArgumentType::kBoolean:
      return "true or false";
    case ArgumentType::kChoice:
      return "one of " + base::joined(argument.choices);
    case ArgumentType::kPath:
      return "a path of the project, relative and not out of it";
  }
  return "a value";
}

bool fits(const ActorArgument& argument, std::string_view value) {
  switch (argument.type) {
    case ArgumentType::kString:
      return true;
    case ArgumentType::kInteger:
      return base::to_number<std::int64_t>(value).has_value();
    case ArgumentType::kNumber:
      return base::to_number<double>(value).has_value();
    case ArgumentType::kBoolean:
      return value == "true" || value == "false";
    case ArgumentType::kChoice:
      return std::ranges::find(argument.choices, value) != argument.choices.end();
    case ArgumentType::kPath:
      return is_inside(value);
  }
  return false;
}

}  // namespace clever::engine
