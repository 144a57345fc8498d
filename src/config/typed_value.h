#pragma once
#include <string>
#include <string_view>

#include "base/result.h"
#include "config/schema.h"

namespace clever::config {

/// The value of a text that a person typed, or that an environment variable holds. A list may be
/// written with commas, or as an array of TOML or JSON: `["sh", "-c", "make"]`. The result has
/// passed check_value(). `invalid_argument` names the key and what would be right. A pure function.
[[nodiscard]] base::Result<std::string> typed_value(const KeyInfo& info, std::string_view key,
                                                    std::string_view text);

}  // namespace clever::config
