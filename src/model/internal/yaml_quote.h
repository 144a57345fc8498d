#pragma once
#include <cstddef>
#include <string_view>

namespace clever::model::internal {

/// Whether the quoted YAML scalar that begins at `at` ends before the text does: a lenient parser
/// takes the rest of the file for its content. True if no quote is there. Total.
[[nodiscard]] bool is_yaml_quote_closed(std::string_view text, std::size_t at) noexcept;

}  // namespace clever::model::internal
