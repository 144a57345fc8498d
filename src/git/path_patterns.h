#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace clever::git {

class IgnoreFile;

/// Patterns in .gitignore syntax, for other purposes: "src/", "*.md", "/docs/**/*.txt", "!keep.md";
/// later ones take precedence. An immutable value; cheap to copy.
class PathPatterns {
 public:
  explicit PathPatterns(const std::vector<std::string>& patterns = {});
  /// Whether they match this file, or a folder around it.
  [[nodiscard]] bool match(std::string_view file) const;
  [[nodiscard]] bool empty() const noexcept { return rules_ == nullptr; }

 private:
  std::shared_ptr<const IgnoreFile> rules_;
};

}  // namespace clever::git
