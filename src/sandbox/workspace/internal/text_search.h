#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace clever::sandbox::internal {

struct FoundLine {
  std::uint64_t number = 0;  // from 1
  std::string text;          // without its end; long ones are cut around the match
};

/// Finds the matching lines of a text. Thread-safe; linear in the text.
class TextSearch {
 public:
  /// `invalid_argument` for an empty pattern or one that RE2 refuses, with its reason.
  [[nodiscard]] static base::Result<std::shared_ptr<const TextSearch>> of(std::string_view pattern,
                                                                          bool regex,
                                                                          bool case_sensitive);
  virtual ~TextSearch() = default;

  /// Each line once, in order; at most `most`. Nothing for binary text.
  [[nodiscard]] virtual std::vector<FoundLine> lines(std::string_view text,
                                                     std::size_t most) const = 0;
};

/// Whether the first 8 KiB contain a NUL, as in git.
[[nodiscard]] bool is_binary(std::string_view text);

/// A literal that every match of the regular expression contains, the longest that a simple
/// analysis finds; may be empty.
[[nodiscard]] std::string required_literal(std::string_view regex);

/// Finds a fixed text: searches its rarest byte and compares there. A value that refers to the
/// text.
class LiteralFinder {
 public:
  explicit LiteralFinder(std::string_view needle);
  /// npos if it does not occur.
  [[nodiscard]] std::size_t find(std::string_view text, std::size_t from) const;

 private:
  std::string_view needle_;
  std::size_t rarest_ = 0;
};

}  // namespace clever::sandbox::internal
