#pragma once
#include <string>
#include <string_view>

#include "base/result.h"

namespace clever::storage::internal {

/// %41 becomes A. `invalid_argument` for a % without two hexadecimal digits, and for %00.
[[nodiscard]] base::Result<std::string> percent_decoded(std::string_view text);

/// Whatever is not a letter, a digit or one of - . _ ~ becomes %XX.
[[nodiscard]] std::string percent_encoded(std::string_view text);

}  // namespace clever::storage::internal
