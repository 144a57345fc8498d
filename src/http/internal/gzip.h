#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace clever::http::internal {

/// Compresses the bytes; none if that does not make them shorter.
[[nodiscard]] std::optional<std::string> gzip(std::string_view bytes);

/// Whether the type usually compresses well: texts, JSON, XML, scripts.
[[nodiscard]] bool is_compressible(std::string_view content_type);

}  // namespace clever::http::internal
