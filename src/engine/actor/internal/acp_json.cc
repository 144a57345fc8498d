#include "engine/actor/internal/acp_json.h"

#include <nlohmann/json.hpp>

#include "base/utf8.h"

namespace clever::engine::internal {
namespace {

constexpr std::size_t kMostOfText = 500;

}  // namespace

const nlohmann::json& member(const nlohmann::json& object, std::string_view key) {
  static const nlohmann::json kNothing;
  if (!object.is_object()) return kNothing;
  const auto found = object.find(key);
  return found == object.end() ? kNothing : *found;
}

std::string member_text(const nlohmann::json& object, std::string_view key) {
  const nlohmann::json& value = member(object, key);
  return value.is_string() ? value.get<std::string>() : std::string();
}

std::string shown_text(std::string_view text) {
  return std::string(base::utf8_prefix(base::to_valid_utf8(text), kMostOfText));
}

std::string dumped(const nlohmann::json& value) {
  return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace clever::engine::internal
