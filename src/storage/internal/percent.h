#pragma once
#include <string>
#include <string_view>

#include "base/result.h"

namespace clever::storage::internal {

/// Decodes %41 to A. `invalid_argument` for a % without two hexadecimal digits, and for %00.
[[nodiscard]] base::Result<std::string> percent_decoded(std::string_view text);

/// Encodes every character except letters, digits and - . _ ~ as %XX.
[[nodiscard]] std::string percent_encoded(std::string_view text);

}  // namespace clever::storage::internal
