#include <algorithm>
#include <set>

#include "diff/internal/choice.h"
#include "diff/internal/contents.h"
#include "diff/internal/whole_file.h"
#include "diff/tree_diff.h"

namespace clever::diff {
namespace {

using Chosen = std::set<std::string>;

std::vector<std::string> chosen_hunks(const FileDiff& file, const Chosen& chosen) {
  std::vector<std::string> ids;
  for (const Hunk& hunk : file.hunks) {
    if (chosen.contains(hunk.id)) ids.push_back(hunk.id);
  }
  return ids;
}

base::Result<git::ObjectId> chosen_content(git::ObjectStore& store, const FileDiff& file,
                                           const std::vector<std::string>& ids,
                                           const DiffOptions& options) {
  if (ids.size() == file.hunks.size()) return file.after->id;
  CLEVER_ASSIGN(const std::string before, internal::content_of(store, file.before));
  CLEVER_ASSIGN(const std::string after, internal::content_of(store, file.after));
  CLEVER_ASSIGN(const std::string content, apply_hunks(file.path, before, after, ids, options));
  return store.put(git::ObjectKind::kBlob, content);
}

// The file's path and content with the choices.
struct Outcome {
  std::string path;
  std::optional<git::Node> node;
};

base::Result<Outcome> partly(git::ObjectStore& store, const FileDiff& file, const Chosen& chosen,
                             const DiffOptions& options) {
  const bool whole = chosen.contains(whole_file_id(file));
  CLEVER_ASSIGN(const git::ObjectId content,
                chosen_content(store, file, chosen_hunks(file, chosen), options));
  return Outcome{.path = whole ? file.path : file.from.value_or(file.path),
                 .node = git::Node{whole ? file.after->mode : file.before->mode, content}};
}

base::Result<Outcome> outcome_of(git::ObjectStore& store, const FileDiff& file,
                                 const Chosen& chosen, const DiffOptions& options) {
  const std::vector<std::string> choices = choices_of(file);
  const auto is_chosen = [&](const std::string& id) { return chosen.contains(id); };
  if (std::ranges::none_of(choices, is_chosen)) {
    return Outcome{file.from.value_or(file.path), file.before};
  }
  if (std::ranges::all_of(choices, is_chosen)) return Outcome{file.path, file.after};
  return partly(store, file, chosen, options);
}

base::Result<void> add_change(std::vector<git::TreeChange>& changes, const std::string& path,
                              const std::optional<git::Node>& node) {
  CLEVER_ASSIGN(git::TreePath parsed, git::TreePath::parse(path));
  changes.push_back({std::move(parsed), node});
  return {};
}

base::Result<void> add_changes(std::vector<git::TreeChange>& changes, const FileDiff& file,
                               const Outcome& outcome) {
  const std::string origin = file.from.value_or(file.path);
  if (outcome.path == origin && outcome.node == file.before) return {};
  if (outcome.path != origin) CLEVER_TRY(add_change(changes, origin, std::nullopt));
  return add_change(changes, outcome.path, outcome.node);
}

base::Result<void> check_ids(const std::vector<std::string>& ids,
                             const std::vector<FileDiff>& files) {
  std::vector<std::string> known;
  for (const FileDiff& file : files) {
    for (std::string& id : choices_of(file)) known.push_back(std::move(id));
  }
  return internal::check_known(ids, known);
}

}  // namespace

base::Result<git::ObjectId> choose_hunks(git::ObjectStore& store, const git::ObjectId& before,
                                         const git::ObjectId& after,
                                         const std::vector<std::string>& ids,
                                         const TreeDiffOptions& options) {
  CLEVER_ASSIGN(const std::vector<FileDiff> files, diff_trees(store, before, after, options));
  CLEVER_TRY(check_ids(ids, files));
  const Chosen chosen(ids.begin(), ids.end());
  std::vector<git::TreeChange> changes;
  for (const FileDiff& file : files) {
    CLEVER_ASSIGN(const Outcome outcome, outcome_of(store, file, chosen, options.text));
    CLEVER_TRY(add_changes(changes, file, outcome));
  }
  return git::edit_tree(store, before, std::move(changes)).context("taking only the chosen hunks");
}

}  // namespace clever::diff
