#pragma once
#include <nlohmann/json.hpp>
#include <string>

namespace clever::plan {

/// In one line; UTF-8 whatever the strings hold.
[[nodiscard]] inline std::string json_text(const nlohmann::json& value) {
  return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace clever::plan
