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
  std::string text;          // without its end; long ones cut around what was found
};

/// Finds the lines of a text that match. Thread-safe; linear in the text.
class TextSearch {
 public:
  /// `invalid_argument` for an empty pattern or one that RE2 does not take, with its reason.
  [[nodiscard]] static base::Result<std::shared_ptr<const TextSearch>> of(std::string_view pattern,
                                                                          bool regex,
                                                                          bool case_sensitive);
  virtual ~TextSearch() = default;

  /// Each line once, in order; at most `most`. Nothing in what is binary.
  [[nodiscard]] virtual std::vector<FoundLine> lines(std::string_view text,
                                                     std::size_t most) const = 0;
};

/// Whether the first 8 KiB hold a NUL, as git decides it.
[[nodiscard]] bool is_binary(std::string_view text);

/// A text that every match of the regular expression contains, the longest that a simple look at it
/// tells; empty if none.
[[nodiscard]] std::string required_literal(std::string_view regex);

/// Finds a fixed text: looks for its rarest byte and compares there. A value that refers to the
/// text.
class LiteralFinder {
 public:
  explicit LiteralFinder(std::string_view needle);
  /// npos if it is not there.
  [[nodiscard]] std::size_t find(std::string_view text, std::size_t from) const;

 private:
  std::string_view needle_;
  std::size_t rarest_ = 0;
};

}  // namespace clever::sandbox::internal
