#pragma once
#include <cstddef>
#include <optional>
#include <string_view>

namespace clever::config::internal {

/// The first line (from 1) where keys or brackets nest deeper than any settings do. Asked before
/// the text reaches the parser: that one recurses once per level, and a file must not be able to
/// exhaust the stack. Follows strings and comments exactly as far as the text is valid TOML.
[[nodiscard]] std::optional<std::size_t> first_line_too_deep(std::string_view text);

}  // namespace clever::config::internal
