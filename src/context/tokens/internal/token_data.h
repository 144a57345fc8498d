#pragma once
#include <string_view>

// Data embedded by the build.
namespace clever::context::internal {

/// Packed by tokens/pack.
[[nodiscard]] std::string_view o200k_data() noexcept;
[[nodiscard]] std::string_view cl100k_data() noexcept;
/// tokens/characters.txt
[[nodiscard]] std::string_view characters_data() noexcept;

}  // namespace clever::context::internal
