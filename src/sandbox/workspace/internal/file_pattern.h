#pragma once
#include <string_view>
#include <vector>

#include "base/glob.h"
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
class FilePattern {
 public:
  /// `invalid_argument` for an open bracket or brace, or for more than 256 alternatives.
  [[nodiscard]] static base::Result<FilePattern> parse(std::string_view pattern);

  [[nodiscard]] bool matches(std::string_view path) const;
  /// Whether anything below this folder may match; otherwise it need not be read.
  [[nodiscard]] bool may_match_below(std::string_view folder) const;

 private:
  struct Alternative {
    base::Glob glob;
    /// Matches the last name in any folder.
    bool by_name = false;
  };
  static Alternative alternative_of(std::string_view pattern);

  std::vector<Alternative> alternatives_;  // none: everything matches
};

}  // namespace clever::sandbox::internal
