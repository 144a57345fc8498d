#include "git/internal/tree_bytes.h"

#include <algorithm>
#include <cstring>
#include <unordered_set>

#include "git/tree_path.h"

namespace clever::git::internal {
namespace {

constexpr std::uint32_t kTypeBits = 0170000;
constexpr std::uint32_t kAnyoneExecutes = 0111;

base::Error not_a_tree(std::string_view why) {
  return base::corruption("a folder in the object store is damaged: " + std::string(why));
}

// Old programs wrote other permissions than git's present two.
std::optional<FileMode> entry_mode(std::string_view digits) {
  std::uint32_t number = 0;
  if (digits.empty() || digits.size() > 6) return std::nullopt;
  for (const char digit : digits) {
    if (digit < '0' || digit > '7') return std::nullopt;
    number = number * 8 + static_cast<std::uint32_t>(digit - '0');
  }
  switch (number & kTypeBits) {
    case 0040000:
      return FileMode::kDirectory;
    case 0120000:
      return FileMode::kLink;
    case 0160000:
      return FileMode::kSubmodule;
    case 0100000:
      return (number & kAnyoneExecutes) != 0 ? FileMode::kExecutable : FileMode::kFile;
    default:
      return std::nullopt;
  }
}

bool is_name(std::string_view name) {
  return !name.empty() && name != "." && name != ".." && name != ".git" && !name.contains('/') &&
         !name.contains('\0');
}

bool is_folder(const TreeEntry& entry) { return entry.node.mode == FileMode::kDirectory; }

base::Result<void> check_names(const std::vector<TreeEntry>& entries) {
  std::unordered_set<std::string_view> names;
  for (const TreeEntry& entry : entries) {
    if (!is_name(entry.name)) {
      return base::invalid_argument("'" + printable(entry.name) + "' is not a valid file name");
    }
    if (!names.insert(entry.name).second) {
      return base::invalid_argument("'" + printable(entry.name) + "' occurs twice in one folder");
    }
  }
  return {};
}

}  // namespace

base::Result<std::optional<TreeEntryView>> TreeBytes::next() {
  if (rest_.empty()) return std::optional<TreeEntryView>();
  const std::size_t space = rest_.find(' ');
  if (space == std::string_view::npos) return not_a_tree("a mode is missing");
  const auto mode = entry_mode(rest_.substr(0, space));
  if (!mode) return not_a_tree("a mode is invalid");
  rest_.remove_prefix(space + 1);
  const std::size_t end = rest_.find('\0');
  if (end == std::string_view::npos || rest_.size() - end - 1 < ObjectId::kSize) {
    return not_a_tree("it is cut off");
  }
  const std::string_view name = rest_.substr(0, end);
  if (!is_name(name)) return not_a_tree("'" + printable(name) + "' is not a valid file name");
  ObjectId::Bytes id{};
  std::memcpy(id.data(), rest_.data() + end + 1, id.size());
  rest_.remove_prefix(end + 1 + id.size());
  return TreeEntryView{.name = name, .node = {.mode = *mode, .id = ObjectId(id)}};
}

bool comes_before(std::string_view left, bool left_is_folder, std::string_view right,
                  bool right_is_folder) noexcept {
  const std::size_t common = std::min(left.size(), right.size());
  if (const int order = left.substr(0, common).compare(right.substr(0, common)); order != 0) {
    return order < 0;
  }
  const auto following = [&](std::string_view name, bool folder) -> unsigned char {
    if (name.size() > common) return static_cast<unsigned char>(name[common]);
    return folder ? '/' : '\0';
  };
  return following(left, left_is_folder) < following(right, right_is_folder);
}

base::Result<std::string> tree_content(std::vector<TreeEntry> entries) {
  CLEVER_TRY(check_names(entries));
  std::ranges::sort(entries, [](const TreeEntry& left, const TreeEntry& right) {
    return comes_before(left.name, is_folder(left), right.name, is_folder(right));
  });
  std::string content;
  for (const TreeEntry& entry : entries) {
    content += to_string(entry.node.mode);
    content += ' ';
    content += entry.name;
    content += '\0';
    content.append(reinterpret_cast<const char*>(entry.node.id.bytes().data()), ObjectId::kSize);
  }
  return content;
}

}  // namespace clever::git::internal
