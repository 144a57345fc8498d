#pragma once
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace clever::provider {

namespace internal {
struct PatternProgram;
}

/// A regular expression over bytes whose search takes time linear in the text, whatever both are:
/// literals, `.`, `[a-z]`, `[^a-z]`, `\d \w \s \D \W \S \b \n \t`, `^` and `$` (of lines), `(…)`,
/// `(?:…)`, `|`, `* + ? {m} {m,} {m,n}` and their lazy forms with `?`, and `(?i)` at the beginning
/// for ASCII case. The first match counts, and in it what a backtracking matcher would take.
///
/// An immutable value; safe to share. Compared by its text.
class Pattern {
 public:
  /// `invalid_argument` says what is wrong and at which character.
  [[nodiscard]] static base::Result<Pattern> compile(std::string_view text);

  /// Groups 1, 2, … of the first match (empty where a group took no part); nothing if there is
  /// none.
  [[nodiscard]] std::optional<std::vector<std::string>> search(std::string_view text) const;
  [[nodiscard]] std::size_t groups() const;
  [[nodiscard]] const std::string& text() const noexcept { return text_; }

  friend bool operator==(const Pattern& a, const Pattern& b) { return a.text_ == b.text_; }

 private:
  Pattern(std::string text, std::shared_ptr<const internal::PatternProgram> program)
      : text_(std::move(text)), program_(std::move(program)) {}

  std::string text_;
  std::shared_ptr<const internal::PatternProgram> program_;
};

}  // namespace clever::provider
