#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/document.h"

namespace clever::model {

/// One line of JSON (RFC 8259) without a line end. Invalid UTF-8 becomes U+FFFD, numbers that JSON
/// cannot represent become null.
[[nodiscard]] std::string to_json(const Document& document);

/// The deepest nesting that is accepted.
inline constexpr std::size_t kDeepestJson = 128;

/// `invalid_argument` names the byte of the first error, or the duplicate key.
[[nodiscard]] base::Result<Document> parse_document(std::string_view json);

/// A JSON string literal with its quotes; also a valid YAML double-quoted scalar.
[[nodiscard]] std::string json_string(std::string_view text);

/// A number in JSON; "null" for NaN and infinities.
[[nodiscard]] std::string json_number(double value);

}  // namespace clever::model
