#pragma once
#include <cstddef>
#include <optional>
#include <string_view>

namespace clever::config::internal {

/// The first line (from 1) where keys or brackets nest deeper than in any setting. Checked before
/// the text reaches the parser, which recurses once per level, so that a file cannot exhaust the
/// stack. Follows strings and comments as long as the text is valid TOML.
[[nodiscard]] std::optional<std::size_t> first_line_too_deep(std::string_view text);

}  // namespace clever::config::internal
