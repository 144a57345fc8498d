#include "git/tree_path.h"

#include <algorithm>

#include "base/utf8.h"
#include "git/internal/dot_git.h"

namespace clever::git {
namespace {

constexpr std::size_t kLongestName = 255;

std::string quoted_start(std::string_view text) {
  constexpr std::size_t kShown = 300;
  return "'" + printable(text.substr(0, kShown)) + (text.size() > kShown ? "…'" : "'");
}

base::Error refused_path(std::string_view path, std::string_view why) {
  return base::permission_denied(quoted_start(path) + " " + std::string(why));
}

base::Error wrong_path(std::string_view path, std::string_view why) {
  return base::invalid_argument(quoted_start(path) + " " + std::string(why));
}

base::Result<void> check_name(std::string_view name, std::string_view path) {
  if (name == "..") {
    return refused_path(path, "may lead out of the project: write the path without '..'");
  }
  if (name == ".") return wrong_path(path, "has a '.' in it: leave that part out");
  if (name.size() > kLongestName) {
    return wrong_path(path, "has a name of more than 255 bytes, which no file system keeps");
  }
  if (internal::means_dot_git(name)) {
    return refused_path(path,
                        "is, or on some file systems would be, git's own folder: it cannot be "
                        "read or written here");
  }
  return {};
}

std::string_view without_leading_dots(std::string_view text) {
  while (text == "." || text.starts_with("./")) {
    text.remove_prefix(std::min<std::size_t>(2, text.size()));
    text.remove_prefix(std::min(text.find_first_not_of('/'), text.size()));
  }
  return text;
}

base::Result<std::string> joined_names(std::string_view text) {
  std::string joined;
  std::string_view rest = without_leading_dots(text);
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('/'), rest.size());
    const std::string_view name = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (name.empty()) continue;
    CLEVER_TRY(check_name(name, text));
    if (!joined.empty()) joined += '/';
    joined += name;
  }
  return joined;
}

void append_escaped(std::string& text, unsigned char byte) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  switch (byte) {
    case '\n':
      text += "\\n";
      return;
    case '\r':
      text += "\\r";
      return;
    case '\t':
      text += "\\t";
      return;
    default:
      break;
  }
  text += "\\x";
  text += kDigits[byte >> 4U];
  text += kDigits[byte & 15U];
}

}  // namespace

base::Result<TreePath> TreePath::parse(std::string_view text) {
  if (text.contains('\0')) return wrong_path(text, "contains a NUL byte, which paths cannot");
  if (text.starts_with('/')) {
    return refused_path(text, "is absolute: write it relative to the project's folder");
  }
  CLEVER_ASSIGN(std::string joined, joined_names(text));
  if (joined.empty()) {
    return wrong_path(text, "names the project's folder itself: name a file in it");
  }
  if (joined.size() > kLongest) return wrong_path(text, "is longer than 4095 bytes");
  return TreePath(std::move(joined));
}

base::Result<TreePath> TreePath::parse(std::string_view text, std::string_view root) {
  while (root.size() > 1 && root.ends_with('/')) root.remove_suffix(1);
  if (!text.starts_with('/') || !root.starts_with('/')) return parse(text);
  const std::string_view folder = root == "/" ? "" : root;
  const bool below =
      text == folder || (text.starts_with(folder) && text.substr(folder.size()).starts_with('/'));
  if (!below) {
    return refused_path(
        text, "is outside the project, " + printable(root) + ": only what is in it can be reached");
  }
  text.remove_prefix(folder.size());
  text.remove_prefix(std::min(text.find_first_not_of('/'), text.size()));
  return parse(text);
}

std::string_view TreePath::name() const noexcept {
  return std::string_view(text_).substr(text_.rfind('/') + 1);
}

std::string_view TreePath::folder() const noexcept {
  const std::size_t slash = text_.rfind('/');
  return std::string_view(text_).substr(0, slash == std::string::npos ? 0 : slash);
}

bool TreePath::is_below(const TreePath& other) const noexcept {
  return text_.size() > other.text_.size() && text_.starts_with(other.text_) &&
         text_[other.text_.size()] == '/';
}

std::string printable(std::string_view path) {
  std::string text;
  for (std::size_t at = 0; at < path.size();) {
    const base::CodePoint point = base::decode_utf8(path, at);
    const std::string_view bytes = path.substr(at, point.size);
    if (point.valid && !base::is_invisible_control(point.value)) {
      text += bytes;
    } else {
      for (const char byte : bytes) append_escaped(text, static_cast<unsigned char>(byte));
    }
    at += point.size;
  }
  return text;
}

}  // namespace clever::git
