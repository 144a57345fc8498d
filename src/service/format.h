#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace clever::service {

/// What an answer looks like. Rich and table are for eyes, plain for eyes and grep, json and yaml
/// for programs. Jsonl is json, except that a command which follows something writes each event as
/// a line of its own before the answer.
enum class Format : std::uint8_t { kRich, kPlain, kJson, kYaml, kTable, kJsonl };

[[nodiscard]] std::string_view to_string(Format format) noexcept;
[[nodiscard]] std::optional<Format> format_from_string(std::string_view name) noexcept;
[[nodiscard]] std::vector<std::string_view> format_names();

/// Whether the answer is an envelope that also holds the messages.
[[nodiscard]] constexpr bool is_for_programs(Format format) noexcept {
  return format == Format::kJson || format == Format::kYaml || format == Format::kJsonl;
}

}  // namespace clever::service
