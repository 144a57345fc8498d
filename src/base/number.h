#pragma once

#include <charconv>
#include <cmath>
#include <concepts>
#include <optional>
#include <string_view>
#include <system_error>

namespace clever::base {

/// Parses the whole text as a number; none if it is something else, has more around it (a space, a
/// unit, a plus sign), or does not fit. A floating-point number is finite.
template <std::integral Number>
[[nodiscard]] std::optional<Number> to_number(std::string_view text, int radix = 10) noexcept {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number, radix);
  if (error != std::errc{} || stopped != end) return std::nullopt;
  return number;
}

template <std::floating_point Number>
[[nodiscard]] std::optional<Number> to_number(std::string_view text) noexcept {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || stopped != end || !std::isfinite(number)) return std::nullopt;
  return number;
}

}  // namespace clever::base
