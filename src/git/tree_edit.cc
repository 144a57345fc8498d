#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "git/tree.h"

namespace clever::git {
namespace {

// The changes of one folder by name, with those below it. `own` is the change of the path itself.
struct Edit {
  const TreeChange* own = nullptr;
  std::map<std::string, Edit, std::less<>> below{};
};

base::Error wrong_change(const std::string& path, std::string_view why) {
  return base::invalid_argument("'" + printable(path) + "' " + std::string(why));
}

base::Result<Edit> gathered(const std::vector<TreeChange>& changes) {
  Edit root;
  for (const TreeChange& change : changes) {
    Edit* edit = &root;
    std::string_view rest = change.path.text();
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('/'), rest.size());
      edit = &edit->below[std::string(rest.substr(0, end))];
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (edit->own != nullptr) return wrong_change(change.path.text(), "is changed twice");
    edit->own = &change;
  }
  return root;
}

bool holds_folder(const std::optional<Node>& node) {
  return node && node->mode == FileMode::kDirectory;
}

class TreeEditor {
 public:
  explicit TreeEditor(ObjectStore& store) : store_(store) {}

  // Returns nothing if no entry is left.
  base::Result<std::optional<Node>> folder(const ObjectId& tree, const Edit& edit,
                                           const std::string& path) {
    CLEVER_ASSIGN(std::vector<TreeEntry> entries, store_.tree(tree));
    std::map<std::string_view, std::optional<Node>> present;
    for (const auto& [name, below] : edit.below) present[name] = std::nullopt;
    std::erase_if(entries, [&](const TreeEntry& entry) {
      const auto changed = present.find(entry.name);
      if (changed == present.end()) return false;
      changed->second = entry.node;
      return true;
    });
    for (const auto& [name, below] : edit.below) {
      const std::string child = path.empty() ? name : path + "/" + name;
      CLEVER_ASSIGN(const auto node, entry(present[name], below, child));
      if (node) entries.push_back({.name = name, .node = *node});
    }
    if (entries.empty()) return std::optional<Node>();
    CLEVER_ASSIGN(const ObjectId id, store_.put_tree(std::move(entries)));
    return Node{.mode = FileMode::kDirectory, .id = id};
  }

 private:
  base::Result<std::optional<Node>> entry(const std::optional<Node>& present, const Edit& edit,
                                          const std::string& path) {
    const bool removes = edit.own != nullptr && !edit.own->to;
    if (removes && !present) return wrong_change(path, "is to be removed but does not exist");
    if (edit.below.empty()) return leaf(present, *edit.own, path);
    CLEVER_ASSIGN(const ObjectId start, start_of(present, edit, path));
    CLEVER_ASSIGN(const auto rest, folder(start, edit, path));
    const bool becomes_file = edit.own != nullptr && edit.own->to && !holds_folder(edit.own->to);
    if (!becomes_file) return rest;
    if (rest) return wrong_change(path, "is to become a file, but files are left in that folder");
    return edit.own->to;
  }

  static base::Result<std::optional<Node>> leaf(const std::optional<Node>& present,
                                                const TreeChange& change, const std::string& path) {
    if (change.to && holds_folder(present) && !holds_folder(change.to)) {
      return wrong_change(path, "is a folder: remove what is in it before a file takes its name");
    }
    // git keeps no empty folder.
    if (holds_folder(change.to) && change.to->id == empty_tree()) return std::optional<Node>();
    return change.to;
  }

  // What the changes below a path start from.
  static base::Result<ObjectId> start_of(const std::optional<Node>& present, const Edit& edit,
                                         const std::string& path) {
    if (edit.own != nullptr && holds_folder(edit.own->to)) return edit.own->to->id;
    if (edit.own != nullptr && !edit.own->to) return empty_tree();
    if (!present) return empty_tree();
    if (!holds_folder(present)) {
      return wrong_change(path, "is a file: remove it before a folder takes its name");
    }
    return present->id;
  }

  ObjectStore& store_;
};

}  // namespace

base::Result<ObjectId> edit_tree(ObjectStore& store, const ObjectId& tree,
                                 std::vector<TreeChange> changes) {
  if (changes.empty()) return tree;
  CLEVER_ASSIGN(const Edit edit, gathered(changes));
  CLEVER_ASSIGN(const auto root, TreeEditor(store).folder(tree, edit, ""));
  return root ? root->id : empty_tree();
}

}  // namespace clever::git
