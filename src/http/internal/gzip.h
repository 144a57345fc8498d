#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace clever::http::internal {

/// The bytes as gzip; none if that is no shorter.
[[nodiscard]] std::optional<std::string> gzip(std::string_view bytes);

/// True for what usually gets much shorter: texts, JSON, XML, scripts.
[[nodiscard]] bool is_compressible(std::string_view content_type);

}  // namespace clever::http::internal
