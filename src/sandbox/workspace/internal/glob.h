#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace clever::sandbox::internal {

/// Matches paths. A value; matching is safe from any thread, and takes at most the product of
/// pattern and path length.
///
///   *       any characters of one name        ?       one character of a name
///   [a-z]   one of these, [!a-z] none of them  {a,b}   one of these
///   **      any number of folders             \x      x itself
///
/// A pattern without a slash matches a name in any folder; one with a slash is relative to the
/// root. A slash at the end matches everything below. Empty: everything. A leading "./" or "/" is
/// dropped. Bytes, not characters, but `?` and brackets take a whole UTF-8 character.
class Glob {
 public:
  /// `invalid_argument` for an open bracket or brace, or for more than 256 alternatives.
  [[nodiscard]] static base::Result<Glob> parse(std::string_view pattern);

  [[nodiscard]] bool matches(std::string_view path) const;
  /// Whether anything below this folder may match; otherwise it need not be read.
  [[nodiscard]] bool may_match_below(std::string_view folder) const;

 private:
  using Names = std::vector<std::string>;  // one pattern, split at its slashes
  std::vector<Names> alternatives_;        // none: everything matches
};

}  // namespace clever::sandbox::internal
