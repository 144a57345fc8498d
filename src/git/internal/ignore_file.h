#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "git/internal/glob.h"

namespace clever::git::internal {

/// The lines of one .gitignore file. An immutable value.
class IgnoreFile {
 public:
  explicit IgnoreFile(std::string_view text);

  /// Whether the last matching line ignores (true) or keeps (false); nothing if none matches.
  /// `path` is relative to the file's own folder.
  [[nodiscard]] std::optional<bool> decides(std::string_view path, bool is_folder) const;

 private:
  struct Pattern {
    Glob glob;
    bool keeps = false;
    bool folders_only = false;
    /// Without a slash: matches the last name in any folder.
    bool by_name = false;
    /// For `*` and plain bytes: the suffix that a name must have.
    std::optional<std::string> ending{};
  };
  static std::optional<Pattern> parse(std::string_view line);
  static bool matches(const Pattern& pattern, std::string_view path);

  std::vector<Pattern> patterns_;
};

}  // namespace clever::git::internal
