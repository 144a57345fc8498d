#pragma once
#include <string>
#include <string_view>

#include "cli/document.h"

namespace clever::cli {

/// One line of JSON (RFC 8259) without a line end. Bytes that are not UTF-8 become U+FFFD, numbers
/// that JSON cannot hold become null.
[[nodiscard]] std::string to_json(const Document& document);

/// A JSON string literal with its quotes; also a valid YAML double-quoted scalar.
[[nodiscard]] std::string json_string(std::string_view text);

/// A number as JSON writes it, "null" for what is none.
[[nodiscard]] std::string json_number(double value);

}  // namespace clever::cli
