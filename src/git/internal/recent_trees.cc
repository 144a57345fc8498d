#include "git/internal/recent_trees.h"

#include <algorithm>

namespace clever::git::internal {

RecentTrees::Content RecentTrees::find(const ObjectId& id) const {
  return trees_.with([&](const auto& trees) -> Content {
    const auto found = std::ranges::find(trees, id, [](const auto& tree) { return tree.first; });
    return found == trees.end() ? nullptr : found->second;
  });
}

void RecentTrees::keep(const ObjectId& id, const std::string& content) {
  if (content.size() > kLargest) return;
  auto kept = std::make_shared<const std::string>(content);
  Content dropped;
  trees_.with([&](auto& trees) {
    trees.emplace_front(id, std::move(kept));
    if (trees.size() <= kMost) return;
    dropped = std::move(trees.back().second);
    trees.pop_back();
  });
}

}  // namespace clever::git::internal
