#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace clever::git {

/// Patterns as a .gitignore has them, for other purposes than ignoring: "src/", "*.md",
/// "/docs/**/*.txt", "!keep.md"; a later one wins. A value, immutable; cheap to copy.
class PathPatterns {
 public:
  explicit PathPatterns(const std::vector<std::string>& patterns = {});
  /// Whether they mean this file, or a folder that it lies in.
  [[nodiscard]] bool match(std::string_view file) const;
  [[nodiscard]] bool empty() const noexcept { return rules_ == nullptr; }

 private:
  struct Rules;
  std::shared_ptr<const Rules> rules_;
};

}  // namespace clever::git
