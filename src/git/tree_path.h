#pragma once
#include <compare>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace clever::git {

/// A path in a tree: names joined by '/', relative to the root. Bytes, not characters: names need
/// not be UTF-8 and may contain newlines. The only code that decides which spellings are valid
/// paths. A value; ordered byte by byte.
///
/// A TreePath never leaves the tree, is never absolute or empty, and never contains a NUL, an empty
/// name, `.` or `..`, a name longer than 255 bytes, or a name that some file system treats as
/// `.git` (`.GIT`, `git~1`, `.git.`, `.git::$INDEX_ALLOCATION`, with characters that HFS+ ignores
/// …).
class TreePath {
 public:
  static constexpr std::size_t kLongest = 4095;

  /// Accepts what people and models write: drops a leading `./`, doubled slashes and a slash at the
  /// end. `invalid_argument` says what is wrong and what would be right; `permission_denied` for
  /// paths that lead out of the tree or into `.git`.
  [[nodiscard]] static base::Result<TreePath> parse(std::string_view text);
  /// The same; also accepts an absolute path below `root` (the project's folder, absolute).
  [[nodiscard]] static base::Result<TreePath> parse(std::string_view text, std::string_view root);

  [[nodiscard]] const std::string& text() const noexcept { return text_; }
  /// The last name.
  [[nodiscard]] std::string_view name() const noexcept;
  /// The part before the last name, without the slash; empty at the root.
  [[nodiscard]] std::string_view folder() const noexcept;
  /// Whether this lies below the other.
  [[nodiscard]] bool is_below(const TreePath& other) const noexcept;

  friend auto operator<=>(const TreePath&, const TreePath&) = default;
  friend bool operator==(const TreePath&, const TreePath&) = default;

 private:
  explicit TreePath(std::string text) : text_(std::move(text)) {}
  std::string text_;
};

/// For messages and terminals: the path in UTF-8, with control characters and invalid bytes as \n,
/// \x1b, …
[[nodiscard]] std::string printable(std::string_view path);

}  // namespace clever::git

template <>
struct std::hash<clever::git::TreePath> {
  [[nodiscard]] std::size_t operator()(const clever::git::TreePath& path) const noexcept {
    return std::hash<std::string>()(path.text());
  }
};
