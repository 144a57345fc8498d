#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/glob.h"

namespace clever::git {

/// The lines of one .gitignore file. An immutable value.
class IgnoreFile {
 public:
  explicit IgnoreFile(std::string_view text);

  /// Whether the last matching line ignores (true) or keeps (false); nothing if none matches.
  /// `path` is relative to the file's own folder.
  [[nodiscard]] std::optional<bool> decides(std::string_view path, bool is_folder) const;

  struct Decision {
    bool ignores = false;
    /// The line ends with the exact name, without wildcards.
    bool by_name = false;
  };
  /// The same, with what the line says.
  [[nodiscard]] std::optional<Decision> decision(std::string_view path, bool is_folder) const;

 private:
  struct Pattern {
    base::Glob glob;
    bool keeps = false;
    bool folders_only = false;
    /// Without a slash: matches the last name in any folder.
    bool by_name = false;
    /// What follows the last slash.
    std::string name{};
  };
  static std::optional<Pattern> parse(std::string_view line);
  static bool matches(const Pattern& pattern, std::string_view path);

  std::vector<Pattern> patterns_;
};

}  // namespace clever::git
