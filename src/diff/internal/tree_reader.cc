#include "diff/internal/tree_reader.h"

#include <algorithm>

namespace clever::diff::internal {

base::Result<Place> TreeReader::at(std::string_view path) {
  git::ObjectId id = tree_;
  for (std::size_t begin = 0;;) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    CLEVER_ASSIGN(const Folder* entries, folder(id));
    const std::string_view name = path.substr(begin, end - begin);
    const auto entry = std::ranges::lower_bound(*entries, name, {}, &git::TreeEntry::name);
    if (entry == entries->end() || entry->name != name) return Place{};
    if (end == path.size()) return Place{.node = entry->node};
    if (entry->node.mode != git::FileMode::kDirectory) {
      return Place{.blocker = entry->node, .blocker_path = std::string(path.substr(0, end))};
    }
    id = entry->node.id;
    begin = end + 1;
  }
}

base::Result<const TreeReader::Folder*> TreeReader::folder(const git::ObjectId& id) {
  if (const auto known = folders_.find(id); known != folders_.end()) return &known->second;
  CLEVER_ASSIGN(Folder entries, store_.tree(id));
  std::ranges::sort(entries, {}, &git::TreeEntry::name);
  return &folders_.emplace(id, std::move(entries)).first->second;
}

}  // namespace clever::diff::internal
