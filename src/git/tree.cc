#include "git/tree.h"

#include <algorithm>
#include <iterator>

#include "git/internal/tree_bytes.h"

namespace clever::git {
namespace {

using internal::TreeBytes;
using internal::TreeEntryView;

bool is_folder_node(const Node& node) { return node.mode == FileMode::kDirectory; }

std::string path_below(const std::string& folder, std::string_view name) {
  std::string path;
  path.reserve(folder.size() + 1 + name.size());
  path += folder;
  if (!folder.empty()) path += '/';
  path += name;
  return path;
}

base::Result<std::string> folder_content(ObjectStore& store, const ObjectId& id) {
  return store.read(id, ObjectKind::kTree, internal::kLargestFolder);
}

base::Result<std::optional<Node>> find_name(ObjectStore& store, const ObjectId& folder,
                                            std::string_view name) {
  CLEVER_ASSIGN(const std::string content, folder_content(store, folder));
  TreeBytes bytes(content);
  while (true) {
    CLEVER_ASSIGN(const auto entry, bytes.next());
    if (!entry) return std::optional<Node>();
    if (entry->name == name) return entry->node;
  }
}

// A tree may be nested deeper than any file system allows.
base::Result<void> check_length(const std::string& path) {
  if (path.size() <= TreePath::kLongest) return {};
  return base::corruption("the tree holds a path of more than 4095 bytes");
}

base::Result<void> check_stop(const base::StopToken& stop) {
  if (stop.stop_requested()) return base::cancelled("stopped while reading a tree");
  return {};
}

using Visit = std::function<bool(const std::string& path, const Node& node)>;

// Returns false once the visitor stops.
base::Result<bool> walk_folder(ObjectStore& store, const ObjectId& id, const std::string& folder,
                               const Visit& visit, const base::StopToken& stop) {
  CLEVER_TRY(check_stop(stop));
  CLEVER_ASSIGN(const std::string content, folder_content(store, id));
  TreeBytes bytes(content);
  while (true) {
    CLEVER_ASSIGN(const auto entry, bytes.next());
    if (!entry) return true;
    const std::string path = path_below(folder, entry->name);
    CLEVER_TRY(check_length(path));
    if (!is_folder_node(entry->node)) {
      if (!visit(path, entry->node)) return false;
      continue;
    }
    CLEVER_ASSIGN(const bool go_on, walk_folder(store, entry->node.id, path, visit, stop));
    if (!go_on) return false;
  }
}

}  // namespace

base::Result<std::optional<Node>> find(ObjectStore& store, const ObjectId& tree,
                                       const TreePath& path) {
  std::string_view rest = path.text();
  Node node{.mode = FileMode::kDirectory, .id = tree};
  while (true) {
    if (!is_folder_node(node)) return std::optional<Node>();
    const std::size_t end = std::min(rest.find('/'), rest.size());
    CLEVER_ASSIGN(const auto found, find_name(store, node.id, rest.substr(0, end)));
    if (!found || end == rest.size()) return found;
    node = *found;
    rest.remove_prefix(end + 1);
  }
}

base::Result<void> walk(ObjectStore& store, const ObjectId& tree,
                        const std::optional<TreePath>& folder, const Visit& visit,
                        const base::StopToken& stop) {
  if (!folder) {
    CLEVER_TRY(walk_folder(store, tree, "", visit, stop));
    return {};
  }
  CLEVER_ASSIGN(const auto node, find(store, tree, *folder));
  if (!node || !is_folder_node(*node)) {
    return base::not_found("no such folder: '" + printable(folder->text()) + "'");
  }
  CLEVER_TRY(walk_folder(store, node->id, folder->text(), visit, stop));
  return {};
}

namespace {

class Comparison {
 public:
  Comparison(ObjectStore& store, const base::StopToken& stop) : store_(store), stop_(stop) {}

  base::Result<void> folders(const ObjectId& before, const ObjectId& after,
                             const std::string& folder) {
    if (before == after) return {};
    CLEVER_TRY(check_stop(stop_));
    CLEVER_ASSIGN(const std::string before_content, folder_content(store_, before));
    CLEVER_ASSIGN(const std::string after_content, folder_content(store_, after));
    TreeBytes left(before_content);
    TreeBytes right(after_content);
    CLEVER_ASSIGN(auto old_entry, left.next());
    CLEVER_ASSIGN(auto new_entry, right.next());
    while (old_entry || new_entry) {
      const Side side = next_side(old_entry, new_entry);
      CLEVER_TRY(entry(folder, side != Side::kAfter ? old_entry : std::nullopt,
                       side != Side::kBefore ? new_entry : std::nullopt));
      if (side != Side::kAfter) {
        CLEVER_ASSIGN(old_entry, left.next());
      }
      if (side != Side::kBefore) {
        CLEVER_ASSIGN(new_entry, right.next());
      }
    }
    return {};
  }

  std::vector<TreeDifference> differences{};

 private:
  using Entry = std::optional<TreeEntryView>;
  enum class Side : std::uint8_t { kBefore, kAfter, kBoth };

  // A file and a folder with one name differ: the one was removed, the other added.
  static Side next_side(const Entry& before, const Entry& after) {
    if (!before) return Side::kAfter;
    if (!after) return Side::kBefore;
    const bool before_folder = is_folder_node(before->node);
    const bool after_folder = is_folder_node(after->node);
    if (internal::comes_before(before->name, before_folder, after->name, after_folder)) {
      return Side::kBefore;
    }
    if (internal::comes_before(after->name, after_folder, before->name, before_folder)) {
      return Side::kAfter;
    }
    return Side::kBoth;
  }

  base::Result<void> entry(const std::string& folder, const Entry& before, const Entry& after) {
    if (before && after && before->node == after->node) return {};
    const std::string path = path_below(folder, before ? before->name : after->name);
    CLEVER_TRY(check_length(path));
    if (is_folder_node(before ? before->node : after->node)) {
      return folders(before ? before->node.id : empty_tree(), after ? after->node.id : empty_tree(),
                     path);
    }
    CLEVER_ASSIGN(TreePath tree_path, TreePath::parse(path));
    differences.push_back(
        {.path = std::move(tree_path), .before = node_of(before), .after = node_of(after)});
    return {};
  }

  static std::optional<Node> node_of(const Entry& entry) {
    if (!entry) return std::nullopt;
    return entry->node;
  }

  ObjectStore& store_;
  const base::StopToken& stop_;
};

}  // namespace

base::Result<std::vector<TreeDifference>> compare(ObjectStore& store, const ObjectId& before,
                                                  const ObjectId& after,
                                                  const base::StopToken& stop) {
  Comparison comparison(store, stop);
  CLEVER_TRY(comparison.folders(before, after, ""));
  // Where a file became a folder, git's order of entries is not that of paths.
  std::ranges::sort(comparison.differences, {}, &TreeDifference::path);
  return std::move(comparison.differences);
}

namespace {

class TreeCopy {
 public:
  TreeCopy(ObjectStore& from, ObjectStore& to, const base::StopToken& stop)
      : from_(from), to_(to), stop_(stop) {}

  // What is below comes first, so that a folder which is there is whole.
  base::Result<void> folder(const ObjectId& id, const std::string& path) {
    CLEVER_TRY(check_stop(stop_));
    CLEVER_TRY(check_length(path));
    CLEVER_ASSIGN(const bool is_there, to_.contains(id));
    if (is_there) return {};
    CLEVER_ASSIGN(const std::string content, folder_content(from_, id));
    TreeBytes bytes(content);
    while (true) {
      CLEVER_ASSIGN(const auto entry, bytes.next());
      if (!entry) break;
      CLEVER_TRY(node(entry->node, path_below(path, entry->name)));
    }
    CLEVER_TRY(to_.put(ObjectKind::kTree, content));
    return {};
  }

 private:
  base::Result<void> node(const Node& node, const std::string& path) {
    if (is_folder_node(node)) return folder(node.id, path);
    if (node.mode == FileMode::kSubmodule) return {};
    CLEVER_ASSIGN(const bool is_there, to_.contains(node.id));
    if (is_there) return {};
    CLEVER_ASSIGN(const auto header, from_.header(node.id));
    CLEVER_ASSIGN(const std::string content, from_.blob(node.id, header.size));
    CLEVER_TRY(to_.put(ObjectKind::kBlob, content));
    return {};
  }

  ObjectStore& from_;
  ObjectStore& to_;
  const base::StopToken& stop_;
};

}  // namespace

base::Result<void> copy_tree(ObjectStore& from, ObjectStore& to, const ObjectId& tree,
                             const base::StopToken& stop) {
  return TreeCopy(from, to, stop).folder(tree, "");
}

}  // namespace clever::git
