#include "engine/choice.h"

#include <algorithm>
#include <map>
#include <set>

#include "diff/tree_diff.h"
#include "git/tree.h"

namespace clever::engine {
namespace {

using diff::FileDiff;
using Ids = std::set<std::string>;
using Edits = std::map<std::string, const plan::Choose::Edit*>;

bool is_plain(const std::optional<git::Node>& node) {
  return !node || node->mode == git::FileMode::kFile || node->mode == git::FileMode::kExecutable;
}

base::Result<void> check_ids(const Ids& known, const std::vector<std::string>& keep) {
  for (const std::string& id : keep) {
    if (known.contains(id)) continue;
    return base::conflict("there is no hunk " + id + " among the present " +
                          std::to_string(known.size()));
  }
  return {};
}

base::Result<Edits> edits_by_path(const std::vector<FileDiff>& files,
                                  const std::vector<plan::Choose::Edit>& edits) {
  Edits by_path;
  for (const plan::Choose::Edit& edit : edits) {
    const auto file = std::ranges::find(files, edit.path, &FileDiff::path);
    if (file == files.end() || !is_plain(file->before) || !is_plain(file->after)) {
      return base::conflict(git::printable(edit.path) +
                            " is not a file that the plan changed, so it cannot be edited here");
    }
    by_path[edit.path] = &edit;
  }
  return by_path;
}

// The person wrote an edited file's lines; its other changes are chosen as usual.
std::vector<std::string> kept_without_lines(const std::vector<FileDiff>& files, const Edits& edits,
                                            const Ids& kept) {
  Ids ids = kept;
  for (const FileDiff& file : files) {
    if (!edits.contains(file.path)) continue;
    for (const diff::Hunk& hunk : file.hunks) ids.erase(hunk.id);
  }
  return {ids.begin(), ids.end()};
}

base::Result<git::TreeChange> written(git::ObjectStore& store, const git::ObjectId& tree,
                                      const FileDiff& file, const Ids& kept,
                                      const std::string& content) {
  const bool moved = !file.from || kept.contains(diff::whole_file_id(file));
  CLEVER_ASSIGN(git::TreePath path, git::TreePath::parse(moved ? file.path : *file.from));
  CLEVER_ASSIGN(const std::optional<git::Node> present, git::find(store, tree, path));
  const git::FileMode mode = present      ? present->mode
                             : file.after ? file.after->mode
                                          : file.before->mode;
  CLEVER_ASSIGN(const git::ObjectId blob, store.put(git::ObjectKind::kBlob, content));
  return git::TreeChange{std::move(path), git::Node{mode, blob}};
}

base::Result<git::ObjectId> with_edits(git::ObjectStore& store, const git::ObjectId& tree,
                                       const std::vector<FileDiff>& files, const Edits& edits,
                                       const Ids& kept) {
  std::vector<git::TreeChange> changes;
  for (const FileDiff& file : files) {
    const auto edit = edits.find(file.path);
    if (edit == edits.end()) continue;
    CLEVER_ASSIGN(git::TreeChange change, written(store, tree, file, kept, edit->second->content));
    changes.push_back(std::move(change));
  }
  if (changes.empty()) return tree;
  return git::edit_tree(store, tree, std::move(changes)).context("putting in what was edited");
}

}  // namespace

base::Result<ChosenWork> choose_work(git::ObjectStore& store, const git::ObjectId& base,
                                     const git::ObjectId& tree,
                                     const std::vector<std::string>& keep,
                                     const std::vector<plan::Choose::Edit>& edits,
                                     const base::StopToken& stop) {
  CLEVER_ASSIGN(const std::vector<FileDiff> files, diff::diff_trees(store, base, tree, {}, stop));
  Ids known;
  for (const FileDiff& file : files) {
    for (std::string& id : diff::choices_of(file)) known.insert(std::move(id));
  }
  CLEVER_TRY(check_ids(known, keep));
  CLEVER_ASSIGN(const Edits by_path, edits_by_path(files, edits));
  const Ids kept(keep.begin(), keep.end());
  CLEVER_ASSIGN(const git::ObjectId chosen,
                diff::choose_hunks(store, base, tree, kept_without_lines(files, by_path, kept)));
  CLEVER_ASSIGN(const git::ObjectId result, with_edits(store, chosen, files, by_path, kept));
  return ChosenWork{.tree = result,
                    .kept = static_cast<std::int64_t>(kept.size()),
                    .dropped = static_cast<std::int64_t>(known.size() - kept.size())};
}

}  // namespace clever::engine
