#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

// Parses TOML texts other than settings: any text yields values or a message with its place. Plain
// functions, safe from any thread.
namespace clever::config {

enum class TomlKind : std::uint8_t { kString, kInteger, kNumber, kBoolean, kTime, kArray };
/// "a string", "a whole number", …
[[nodiscard]] std::string_view to_string(TomlKind kind) noexcept;

/// One value of a text and its position. A value.
struct TomlValue {
  /// The keys from the root to it.
  std::vector<std::string> path{};
  TomlKind kind = TomlKind::kString;
  /// The content of a string; other values as written.
  std::string text{};
  std::size_t line = 0;
};

/// All values outside arrays of tables. `invalid_argument` with "NAME:LINE: " and the reason.
[[nodiscard]] base::Result<std::vector<TomlValue>> parse_toml(std::string_view text,
                                                              std::string_view name);

}  // namespace clever::config
