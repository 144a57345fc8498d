#include "sandbox/workspace/internal/disk_files.h"

#include <optional>
#include <string_view>

#include "sandbox/workspace/internal/overlay_marks.h"

namespace clever::sandbox::internal {
namespace {

using git::FileMode;
using git::Node;
using git::TreeDifference;
using git::TreePath;
using Kind = io::EntryFacts::Kind;

base::Result<std::optional<Kind>> kind_at(const io::Directory& folder, std::string_view path) {
  const auto facts = folder.facts(path);
  if (facts.ok()) return std::optional(facts->kind);
  if (facts.error().code() == base::ErrorCode::kNotFound) return std::optional<Kind>();
  return facts.error();
}

class Writer {
 public:
  Writer(git::ObjectStore& store, DiskFiles& files) : store_(store), files_(files) {}

  base::Result<void> remove(const TreePath& path) {
    files_.known.erase(path.text());
    CLEVER_ASSIGN(const bool reachable, has_folders_above(path));
    if (reachable) CLEVER_TRY(files_.folder.remove_all(path.text()));
    if (!files_.overlay) {
      if (reachable) remove_empty_folders(std::string(path.folder()));
      return {};
    }
    CLEVER_ASSIGN(const bool beneath, shows_through(path));
    if (!beneath) return {};
    CLEVER_TRY(make_folders_above(path));
    CLEVER_ASSIGN(const io::Directory above, files_.folder.open_below(path.folder()));
    return make_whiteout(above, std::string(path.name()));
  }

  base::Result<void> write(const TreePath& path, const Node& node) {
    CLEVER_TRY(make_folders_above(path));
    CLEVER_TRY(files_.folder.remove_all(path.text()));
    if (node.mode == FileMode::kSubmodule) return make_folder(path.text(), 0755);
    CLEVER_ASSIGN(const std::string content, store_.blob(node.id, kLargestOnDisk));
    if (node.mode == FileMode::kLink) {
      CLEVER_TRY(files_.folder.create_link(path.text(), content));
    } else {
      const mode_t mode = node.mode == FileMode::kExecutable ? 0755 : 0644;
      CLEVER_TRY(files_.folder.create_file(path.text(), content, mode));
    }
    CLEVER_ASSIGN(const auto facts, files_.folder.facts(path.text()));
    files_.known.insert_or_assign(path.text(), facts);
    return {};
  }

 private:
  base::Result<void> make_folder(const std::string& path, mode_t mode) {
    return files_.folder.make_directories(path, mode);
  }

  // Returns whether every parent is a folder; otherwise there is nothing to remove.
  base::Result<bool> has_folders_above(const TreePath& path) {
    const std::string& text = path.text();
    for (std::size_t slash = text.find('/'); slash != std::string::npos;
         slash = text.find('/', slash + 1)) {
      CLEVER_ASSIGN(const auto kind, kind_at(files_.folder, text.substr(0, slash)));
      if (kind != Kind::kDirectory) return false;
    }
    return true;
  }

  // Returns whether the base has something at the path that no parent hides.
  base::Result<bool> shows_through(const TreePath& path) {
    CLEVER_ASSIGN(const auto below, git::find(store_, files_.base, path));
    if (!below) return false;
    const std::string& text = path.text();
    for (std::size_t slash = text.find('/'); slash != std::string::npos;
         slash = text.find('/', slash + 1)) {
      const std::string above = text.substr(0, slash);
      CLEVER_ASSIGN(const auto kind, kind_at(files_.folder, above));
      if (!kind) return true;
      if (*kind != Kind::kDirectory) return false;
      CLEVER_ASSIGN(const io::Directory folder, files_.folder.open_below(above));
      if (is_opaque(folder)) return false;
    }
    return true;
  }

  base::Result<void> make_folders_above(const TreePath& path) {
    const std::string& text = path.text();
    for (std::size_t slash = text.find('/'); slash != std::string::npos;
         slash = text.find('/', slash + 1)) {
      CLEVER_TRY(require_folder(text.substr(0, slash)));
    }
    return {};
  }

  base::Result<void> require_folder(const std::string& path) {
    CLEVER_ASSIGN(const auto kind, kind_at(files_.folder, path));
    if (kind == Kind::kDirectory) return {};
    if (kind) CLEVER_TRY(files_.folder.remove_file(path));
    CLEVER_TRY(make_folder(path, 0755));
    // A file hid what the base has there; it must stay hidden.
    if (!kind || !files_.overlay) return {};
    CLEVER_ASSIGN(const io::Directory folder, files_.folder.open_below(path));
    return make_opaque(folder);
  }

  // As in git, a folder without files does not exist.
  void remove_empty_folders(std::string folder) {
    while (!folder.empty() && files_.folder.remove_directory(folder).ok()) {
      const std::size_t slash = folder.rfind('/');
      folder.resize(slash == std::string::npos ? 0 : slash);
    }
  }

  git::ObjectStore& store_;
  DiskFiles& files_;
};

}  // namespace

base::Result<void> show(git::ObjectStore& store, DiskFiles& files,
                        const std::vector<TreeDifference>& differences) {
  Writer writer(store, files);
  // Deletions first: a file may become a folder.
  for (const TreeDifference& difference : differences) {
    if (!difference.after) CLEVER_TRY(writer.remove(difference.path));
  }
  for (const TreeDifference& difference : differences) {
    if (difference.after) CLEVER_TRY(writer.write(difference.path, *difference.after));
  }
  return {};
}

}  // namespace clever::sandbox::internal
