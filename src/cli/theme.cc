#include "cli/theme.h"

#include <algorithm>
#include <array>

namespace clever::cli {
namespace {

struct ThemeColors {
  Theme theme;
  std::string_view name;
  /// In the order of Tone: plain, strong, dim, good, warn, bad, accent.
  std::array<std::string_view, 7> parameters;
};

constexpr std::array kThemes{
    ThemeColors{Theme::kDefault, "default", {"", "1", "2", "32", "33", "31", "36"}},
    // Yellow and cyan can hardly be read on white.
    ThemeColors{Theme::kLight, "light", {"", "1", "90", "32", "35", "31", "34"}},
    ThemeColors{
        Theme::kHighContrast, "high-contrast", {"", "1", "", "1;92", "1;93", "1;91", "1;96"}},
    ThemeColors{Theme::kNone, "none", {"", "1", "2", "", "", "1", ""}}};

}  // namespace

std::string_view color_parameters(Theme theme, Tone tone) noexcept {
  const auto* const found = std::ranges::find(kThemes, theme, &ThemeColors::theme);
  return found->parameters[static_cast<std::size_t>(tone)];
}

Theme theme_from_string(std::string_view name) noexcept {
  const auto* const found = std::ranges::find(kThemes, name, &ThemeColors::name);
  return found == kThemes.end() ? Theme::kDefault : found->theme;
}

}  // namespace clever::cli
