#pragma once
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace re2 {
class RE2;
}

namespace clever::provider {

/// A regular expression of RE2, whose search takes time linear in the text. `^` and `$` match at
/// lines. The first match counts, with the groups that a backtracking matcher would find.
///
/// An immutable value; safe to share. Compared by its text.
class Pattern {
 public:
  static constexpr std::size_t kMostBytes = 1000;

  /// `invalid_argument` says what is wrong and where.
  [[nodiscard]] static base::Result<Pattern> compile(std::string_view text);

  /// Groups 1, 2, … of the first match (empty for an unused group), or nothing without a match.
  [[nodiscard]] std::optional<std::vector<std::string>> search(std::string_view text) const;
  [[nodiscard]] std::size_t groups() const;
  [[nodiscard]] const std::string& text() const noexcept { return text_; }

  friend bool operator==(const Pattern& a, const Pattern& b) { return a.text_ == b.text_; }

 private:
  Pattern(std::string text, std::shared_ptr<const re2::RE2> program)
      : text_(std::move(text)), program_(std::move(program)) {}

  std::string text_;
  std::shared_ptr<const re2::RE2> program_;
};

}  // namespace clever::provider
