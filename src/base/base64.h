#pragma once
#include <string>
#include <string_view>

#include "base/result.h"

namespace clever::base {

/// The standard alphabet of RFC 4648, padded, without line ends.
[[nodiscard]] std::string to_base64(std::string_view bytes);
void append_base64(std::string& text, std::string_view bytes);

/// Decodes the output of to_base64(); the padding may be missing. `invalid_argument` names the
/// first wrong character.
[[nodiscard]] Result<std::string> from_base64(std::string_view text);

}  // namespace clever::base
