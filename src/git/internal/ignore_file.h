#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "git/internal/glob.h"

namespace clever::git::internal {

/// The lines of one .gitignore file. A value, immutable.
class IgnoreFile {
 public:
  explicit IgnoreFile(std::string_view text);

  /// Whether the last line that matches ignores (true) or keeps (false); nothing if none matches.
  /// `path` is seen from the file's own folder.
  [[nodiscard]] std::optional<bool> decides(std::string_view path, bool is_folder) const;

 private:
  struct Pattern {
    Glob glob;
    bool keeps = false;
    bool folders_only = false;
    /// Without a slash: matches the last name, wherever it is.
    bool by_name = false;
    /// `*` and plain bytes: those that the name must end with.
    std::optional<std::string> ending{};
  };
  static std::optional<Pattern> parse(std::string_view line);
  static bool matches(const Pattern& pattern, std::string_view path);

  std::vector<Pattern> patterns_;
};

}  // namespace clever::git::internal
