#include "sandbox/workspace/internal/layers.h"

#include <algorithm>

namespace clever::sandbox::internal {
namespace {

using git::FileMode;
using git::Node;
using git::ObjectStore;
using git::TreePath;

// Every write copies these; beyond this many, folding costs less than the copies.
constexpr std::size_t kMostChanges = 256;

struct Below {
  bool added = false;
  bool removed = false;
};

Below changes_below(const Layers& layers, std::string_view folder) {
  const std::string prefix = std::string(folder) + "/";
  Below below;
  for (auto at = layers.changes.lower_bound(prefix);
       at != layers.changes.end() && at->first.starts_with(prefix); ++at) {
    (at->second ? below.added : below.removed) = true;
  }
  return below;
}

// Returns whether the tree's folder still has a file that was not removed.
base::Result<bool> has_survivor(ObjectStore& store, const Layers& layers, const TreePath& folder) {
  bool survivor = false;
  CLEVER_TRY(
      git::walk(store, layers.tree, folder, [&](const std::string& path, const Node& /*node*/) {
        survivor = !layers.changes.contains(path);
        return !survivor;
      }));
  return survivor;
}

bool is_nothing_of(const std::optional<Node>& in_tree) { return !in_tree || is_folder(*in_tree); }

}  // namespace

base::Result<std::optional<Node>> find(ObjectStore& store, const Layers& layers,
                                       std::string_view path) {
  const auto change = layers.changes.find(path);
  if (change != layers.changes.end() && change->second) return change->second;
  const Below below = changes_below(layers, path);
  if (below.added) return std::optional(Node{.mode = FileMode::kDirectory});
  if (change != layers.changes.end()) return std::optional<Node>();
  CLEVER_ASSIGN(const TreePath tree_path, TreePath::parse(path));
  CLEVER_ASSIGN(std::optional<Node> node, git::find(store, layers.tree, tree_path));
  if (node && is_folder(*node) && below.removed) {
    CLEVER_ASSIGN(const bool survivor, has_survivor(store, layers, tree_path));
    if (!survivor) node.reset();
  }
  return node;
}

base::Result<Layers> folded(ObjectStore& store, const Layers& layers) {
  if (layers.changes.empty()) return layers;
  std::vector<git::TreeChange> changes;
  changes.reserve(layers.changes.size());
  for (const auto& [path, node] : layers.changes) {
    CLEVER_ASSIGN(TreePath tree_path, TreePath::parse(path));
    changes.push_back({std::move(tree_path), node});
  }
  CLEVER_ASSIGN(const auto tree, git::edit_tree(store, layers.tree, std::move(changes)));
  return Layers{.tree = tree};
}

base::Result<void> set(ObjectStore& store, Layers& layers, const TreePath& path,
                       const std::optional<Node>& node) {
  CLEVER_ASSIGN(const auto in_tree, git::find(store, layers.tree, path));
  const bool as_in_tree = node ? in_tree == node : is_nothing_of(in_tree);
  if (as_in_tree) {
    layers.changes.erase(path.text());
  } else {
    layers.changes.insert_or_assign(path.text(), node);
  }
  if (layers.changes.size() > kMostChanges) {
    CLEVER_ASSIGN(layers, folded(store, layers));
  }
  return {};
}

base::Result<void> force(ObjectStore& store, Layers& layers, const TreePath& path,
                         const std::optional<Node>& node) {
  const std::string& text = path.text();
  if (!node) {
    CLEVER_ASSIGN(const auto found, find(store, layers, text));
    return found && !is_folder(*found) ? set(store, layers, path, node) : base::Result<void>();
  }
  for (std::size_t slash = text.find('/'); slash != std::string::npos;
       slash = text.find('/', slash + 1)) {
    const std::string above = text.substr(0, slash);
    CLEVER_ASSIGN(const auto found, find(store, layers, above));
    if (!found || is_folder(*found)) continue;
    CLEVER_ASSIGN(const TreePath above_path, TreePath::parse(above));
    CLEVER_TRY(set(store, layers, above_path, std::nullopt));
  }
  CLEVER_ASSIGN(const auto found, find(store, layers, text));
  if (found && is_folder(*found)) {
    CLEVER_ASSIGN(const Files files, files_at(store, layers, path));
    for (const auto& file : files) {
      CLEVER_ASSIGN(const TreePath file_path, TreePath::parse(file.first));
      CLEVER_TRY(set(store, layers, file_path, std::nullopt));
    }
  }
  return set(store, layers, path, node);
}

base::Result<void> force_all(ObjectStore& store, Layers& layers,
                             const std::vector<git::TreeChange>& changes,
                             const base::StopToken& stop) {
  for (const bool removals : {true, false}) {
    for (const git::TreeChange& change : changes) {
      if (stop.stop_requested()) return base::cancelled("stopped while changes were taken over");
      if (removals != change.to.has_value()) {
        CLEVER_TRY(force(store, layers, change.path, change.to));
      }
    }
  }
  CLEVER_ASSIGN(layers, folded(store, layers));
  return {};
}

base::Result<Files> files_at(ObjectStore& store, Layers& layers, const TreePath& path) {
  CLEVER_ASSIGN(const auto found, find(store, layers, path.text()));
  if (!found) return Files();
  if (!is_folder(*found)) return Files{{path.text(), *found}};
  CLEVER_ASSIGN(layers, folded(store, layers));
  Files files;
  CLEVER_TRY(git::walk(store, layers.tree, path, [&](const std::string& file, const Node& node) {
    files.emplace_back(file, node);
    return true;
  }));
  return files;
}

}  // namespace clever::sandbox::internal
