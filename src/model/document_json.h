#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/document.h"

namespace clever::model {

/// One line of JSON (RFC 8259) without a line end. Bytes that are not UTF-8 become U+FFFD, numbers
/// that JSON cannot hold become null.
[[nodiscard]] std::string to_json(const Document& document);

/// Deeper JSON is refused.
inline constexpr std::size_t kDeepestJson = 128;

/// `invalid_argument` says at which byte it stops being JSON, or which key comes twice.
[[nodiscard]] base::Result<Document> parse_document(std::string_view json);

/// A JSON string literal with its quotes; also a valid YAML double-quoted scalar.
[[nodiscard]] std::string json_string(std::string_view text);

/// A number as JSON writes it, "null" for what is none.
[[nodiscard]] std::string json_number(double value);

}  // namespace clever::model
