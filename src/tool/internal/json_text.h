#pragma once
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/result.h"

// Parses untrusted JSON text within limits.
namespace clever::tool::internal {

struct JsonLimits {
  std::size_t bytes;
  std::size_t depth;
};

/// `invalid_argument` says where the text stops being JSON, `resource_exhausted` which limit it
/// exceeds. Never throws.
[[nodiscard]] base::Result<nlohmann::json> parse_json(std::string_view text,
                                                      const JsonLimits& limits);

/// A value for a message: at most about 60 bytes of it.
[[nodiscard]] std::string shown(const nlohmann::json& value);
/// "a string", "an integer", "a list", "an object" …
[[nodiscard]] std::string_view kind_of(const nlohmann::json& value);
/// UTF-8 for any strings.
[[nodiscard]] std::string to_text(const nlohmann::json& value);

}  // namespace clever::tool::internal
