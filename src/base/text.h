#pragma once
// Small text functions for every module. ASCII only: other characters pass unchanged.
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace clever::base {

inline constexpr std::string_view kBlanks = " \t\r\n\f\v";

/// Converts ASCII letters to lower case.
[[nodiscard]] std::string lower_case(std::string_view text);
/// Converts ASCII letters to upper case.
[[nodiscard]] std::string upper_case(std::string_view text);

/// Removes these characters from both ends.
[[nodiscard]] std::string_view trimmed(std::string_view text,
                                       std::string_view blanks = kBlanks) noexcept;
[[nodiscard]] bool is_blank(std::string_view text) noexcept;

/// "a, b, c"
[[nodiscard]] std::string joined(std::span<const std::string> words,
                                 std::string_view separator = ", ");
[[nodiscard]] std::string joined(std::span<const std::string_view> words,
                                 std::string_view separator = ", ");

/// The pieces between separators: one more than there are separators.
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);

}  // namespace clever::base
