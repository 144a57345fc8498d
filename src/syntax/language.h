#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace clever::syntax {

/// The language of a file. kText: only lines and words.
enum class Language : std::uint8_t {
  kText,
  kC,
  kCpp,
  kPython,
  kJavaScript,
  kTypeScript,
  kTsx,
  kGo,
  kRust,
  kJava,
  kRuby,
  kBash,
  kJson,
  kYaml,
  kMarkdown,
};
inline constexpr std::size_t kLanguages = 15;

/// "text", "c", "cpp", "python", "javascript", "typescript", "tsx", "go", …
[[nodiscard]] std::string_view to_string(Language language) noexcept;

/// By the file's name, else by a first line such as "#!/usr/bin/env python3".
[[nodiscard]] Language language_of(std::string_view path, std::string_view content = {}) noexcept;

}  // namespace clever::syntax
