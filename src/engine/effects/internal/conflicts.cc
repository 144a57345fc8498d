#include "engine/effects/internal/conflicts.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "git/tree.h"

namespace clever::engine::internal {
namespace {

constexpr std::size_t kShortestMarker = 7;

std::set<std::string_view> lines_of(std::string_view text) {
  std::set<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.insert(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

// Returns the lines that begin conflicts: those with the longest run of '<', since a merge makes
// its markers longer than any similar text.
std::set<std::string_view> markers_of(std::string_view marked) {
  std::size_t longest = kShortestMarker;
  std::set<std::string_view> markers;
  for (const std::string_view line : lines_of(marked)) {
    const std::size_t run = std::min(line.find_first_not_of('<'), line.size());
    if (run < longest) continue;
    if (run > longest) markers.clear();
    longest = run;
    markers.insert(line);
  }
  return markers;
}

bool touches(const std::vector<model::ChangeEntry>& changes, const std::string& path) {
  return std::ranges::any_of(changes, [&](const model::ChangeEntry& change) {
    return change.path == path || change.from == path;
  });
}

base::Result<bool> holds_marker(git::ObjectStore& store, const git::ObjectId& file,
                                const git::ObjectId& marked) {
  CLEVER_ASSIGN(const std::string before, store.blob(marked));
  CLEVER_ASSIGN(const std::string now, store.blob(file));
  const auto lines = lines_of(now);
  return std::ranges::any_of(markers_of(before),
                             [&](std::string_view marker) { return lines.contains(marker); });
}

// Renaming a file does not resolve its conflict.
base::Result<bool> is_elsewhere(git::ObjectStore& store, const git::ObjectId& tree,
                                const git::ObjectId& marked) {
  bool found = false;
  CLEVER_TRY(git::walk(store, tree, std::nullopt, [&](const std::string&, const git::Node& node) {
    found = node.id == marked;
    return !found;
  }));
  return found;
}

base::Result<bool> is_open(const model::OpenConflict& conflict, git::ObjectStore& store,
                           const git::ObjectId& tree,
                           const std::vector<model::ChangeEntry>& changes) {
  if (conflict.marked.empty()) return !touches(changes, conflict.path);
  CLEVER_ASSIGN(const git::TreePath path, git::TreePath::parse(conflict.path));
  CLEVER_ASSIGN(const auto node, git::find(store, tree, path));
  const bool is_file =
      node && (node->mode == git::FileMode::kFile || node->mode == git::FileMode::kExecutable);
  CLEVER_ASSIGN(const git::ObjectId marked, git::ObjectId::from_hex(conflict.marked));
  if (!is_file) return is_elsewhere(store, tree, marked);
  if (node->id == marked) return true;
  return holds_marker(store, node->id, marked);
}

}  // namespace

base::Result<std::vector<model::OpenConflict>> still_open(
    const std::vector<model::OpenConflict>& conflicts, git::ObjectStore& store,
    const git::ObjectId& tree, const std::vector<model::ChangeEntry>& changes) {
  std::vector<model::OpenConflict> open;
  for (const model::OpenConflict& conflict : conflicts) {
    CLEVER_ASSIGN(const bool is_still, is_open(conflict, store, tree, changes));
    if (is_still) open.push_back(conflict);
  }
  return open;
}

}  // namespace clever::engine::internal
