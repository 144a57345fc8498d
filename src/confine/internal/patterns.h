#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace clever::confine::internal {

/// Patterns as in a .gitignore file: the last match decides. Immutable; safe to share.
class Patterns {
 public:
  /// One pattern per line; skips blank lines and those that begin with #.
  [[nodiscard]] static Patterns parse(std::string_view text);

  struct Match {
    bool matches = false;
    /// The last part of the pattern is the exact name, without wildcards.
    bool by_name = false;
  };
  /// A path relative to the folder of the patterns.
  [[nodiscard]] Match match(std::string_view path, bool is_folder) const;

 private:
  struct Pattern {
    std::string text;
    bool negated = false;
    bool folders_only = false;
    bool anchored = false;  // matches the whole path, not just a name
  };
  static Pattern parse_line(std::string_view line);

  std::vector<Pattern> patterns_;
};

/// `*` and `?` stand for anything but a slash, `**` for any number of whole parts, [a-z] for a
/// character of the set.
[[nodiscard]] bool glob_matches(std::string_view glob, std::string_view text);

}  // namespace clever::confine::internal
