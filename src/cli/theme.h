#pragma once
#include <string>
#include <string_view>

#include "cli/words.h"

// The table of colours. Pure functions.
namespace clever::cli {

/// The parameters of the escape sequence for a tone ("1;31"); empty: as other text.
[[nodiscard]] std::string_view color_parameters(Theme theme, Tone tone) noexcept;

/// The theme of the setting output.theme; kDefault for an unknown name.
[[nodiscard]] Theme theme_from_string(std::string_view name) noexcept;

}  // namespace clever::cli
