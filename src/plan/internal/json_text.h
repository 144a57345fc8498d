#pragma once
#include <nlohmann/json.hpp>
#include <string>

namespace clever::plan {

/// One line of valid UTF-8, for any strings.
[[nodiscard]] inline std::string json_text(const nlohmann::json& value) {
  return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace clever::plan
