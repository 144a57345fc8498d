#include "diff/internal/child_merge.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "diff/internal/contents.h"

namespace clever::diff::internal {

ChildMerge::ChildMerge(const ChildMergeInput& input)
    : in_(input),
      ours_(input.store, input.ours),
      rule_(input.strategy == MergeStrategy::kSequentialApply ? TextRule::kReplay
                                                              : TextRule::kThreeWay) {
  for (const git::TreeDifference& change : input.changes) {
    changes_.emplace(change.path.text(), &change);
  }
}

base::Result<ChildMerge::Outcome> ChildMerge::run() {
  CLEVER_TRY(find_their_renames());
  for (const auto& [from, to] : their_renames_) {
    CLEVER_TRY(merge_rename(*changes_.find(from)->second, *changes_.find(to)->second));
  }
  for (const auto& [path, change] : changes_) {
    if (in_.stop.stop_requested()) return base::cancelled("merging was stopped");
    if (!done_.contains(path)) CLEVER_TRY(merge_path(*change));
  }
  CLEVER_TRY(place_waiting());
  std::ranges::sort(conflicts_, [](const Conflict& one, const Conflict& other) {
    return std::tie(one.path, one.kind) < std::tie(other.path, other.kind);
  });
  CLEVER_ASSIGN(const git::ObjectId tree, edited_tree());
  return Outcome{tree, std::move(conflicts_)};
}

base::Result<std::optional<git::Node>> ChildMerge::our_file(const std::string& path) {
  CLEVER_ASSIGN(const Place place, ours_.at(path));
  return place.leaf();
}

// A file that ours left unchanged can be removed here and added there; only the others need rename
// detection.
base::Result<void> ChildMerge::find_their_renames() {
  std::set<std::string> sources;
  for (const auto& [path, change] : changes_) {
    if (change->after) continue;
    CLEVER_ASSIGN(const std::optional<git::Node> ours, our_file(path));
    if (ours != change->before) sources.insert(path);
  }
  if (sources.empty()) return {};
  CLEVER_ASSIGN(their_renames_, renames_among(in_.store, in_.changes, in_.stop));
  std::erase_if(their_renames_, [&](const auto& item) { return !sources.contains(item.first); });
  return {};
}

base::Result<void> ChildMerge::merge_rename(const git::TreeDifference& gone,
                                            const git::TreeDifference& come) {
  done_.insert({gone.path.text(), come.path.text()});
  CLEVER_ASSIGN(const std::optional<git::Node> ours, our_file(gone.path.text()));
  CLEVER_ASSIGN(const Place target, ours_.at(come.path.text()));
  Case file{.path = come.path.text(),
            .from = gone.path.text(),
            .sides = {.base = gone.before, .ours = ours, .theirs = come.after}};
  if (!ours) return merge_rename_of_missing(std::move(file));
  if (target.is_free()) {
    file.ours_path = file.from;
    return settle(file);
  }
  CLEVER_TRY(merge_path(gone));
  return merge_path(come);
}

// Ours has moved or removed it too.
base::Result<void> ChildMerge::merge_rename_of_missing(Case file) {
  CLEVER_ASSIGN(const std::optional<std::string> moved, our_path_of(*file.from));
  CLEVER_ASSIGN(const Place target, ours_.at(file.path));
  if (moved) {
    CLEVER_ASSIGN(file.sides.ours, our_file(*moved));
    if (*moved == file.path) return settle(file);
    file.ours_path = moved;
    return disagree(file, ConflictKind::kRename);
  }
  if (target.is_free()) return disagree(file, ConflictKind::kDeletedByUs);
  return merge_path(*changes_.find(file.path)->second);
}

base::Result<void> ChildMerge::merge_path(const git::TreeDifference& change) {
  CLEVER_ASSIGN(const std::optional<git::Node> ours, our_file(change.path.text()));
  if (change.before && !ours) {
    CLEVER_ASSIGN(const bool followed, follow_our_move(change));
    if (followed) return {};
  }
  return settle({.path = change.path.text(),
                 .sides = {.base = change.before, .ours = ours, .theirs = change.after}});
}

base::Result<bool> ChildMerge::follow_our_move(const git::TreeDifference& change) {
  CLEVER_ASSIGN(const std::optional<std::string> moved, our_path_of(change.path.text()));
  if (!moved || changes_.contains(*moved)) return false;
  Case file{.path = *moved, .from = change.path.text()};
  CLEVER_ASSIGN(const std::optional<git::Node> ours, our_file(*moved));
  file.sides = {.base = change.before, .ours = ours, .theirs = change.after};
  if (change.after && same_kind(change.before->mode, change.after->mode)) {
    CLEVER_TRY(settle(file));
    return true;
  }
  // Another kind of entry at the old path is a new entry, not a change of the old one.
  file.sides.theirs.reset();
  CLEVER_TRY(disagree(file, ConflictKind::kDeletedByThem));
  if (change.after) {
    CLEVER_TRY(settle({.path = change.path.text(), .sides = {.theirs = change.after}}));
  }
  return true;
}

base::Result<std::optional<std::string>> ChildMerge::our_path_of(const std::string& path) {
  CLEVER_ASSIGN(std::optional<std::string> moved, in_.moves.locate(in_.child.base, path));
  if (!moved) return moved;
  CLEVER_ASSIGN(const std::optional<git::Node> ours, our_file(*moved));
  return ours ? moved : std::nullopt;
}

TextNames ChildMerge::names_for(const Case& file) const {
  TextNames names{.theirs = in_.child.name};
  names.ours = in_.authors.last_author(file.from.value_or(file.path), names.ours);
  names.ours = in_.authors.last_author(file.ours_path.value_or(file.path), names.ours);
  return names;
}

base::Result<void> ChildMerge::settle(const Case& file) {
  CLEVER_ASSIGN(const Resolution resolution, resolve(in_.store, file.sides, rule_, names_for(file))
                                                 .context("merging " + git::printable(file.path)));
  if (!resolution.conflict) return put(file, resolution.node);
  report(file, *resolution.conflict, resolution.marked);
  return put(file, theirs_win() ? file.sides.theirs : resolution.node);
}

base::Result<void> ChildMerge::disagree(const Case& file, ConflictKind kind) {
  report(file, kind, std::nullopt);
  return theirs_win() ? put(file, file.sides.theirs) : base::Result<void>();
}

base::Result<void> ChildMerge::put(const Case& file, const std::optional<git::Node>& node) {
  CLEVER_ASSIGN(const Place place, ours_.at(file.path));
  if (file.ours_path) edits_[*file.ours_path] = std::nullopt;
  if (place.leaf() == node) return {};
  if (node && (place.is_folder() || place.blocker)) {
    waiting_.push_back({file, *node, place});
  } else {
    edits_[file.path] = node;
  }
  return {};
}

void ChildMerge::report(const Case& file, ConflictKind kind, std::optional<git::ObjectId> marked) {
  conflicts_.push_back({.path = file.path,
                        .from = file.from,
                        .kind = kind,
                        .base = file.sides.base,
                        .ours = file.sides.ours,
                        .ours_path = file.ours_path,
                        .theirs = file.sides.theirs,
                        .marked = theirs_win() ? std::nullopt : marked,
                        .child = in_.child.name,
                        .settled = theirs_win()});
}

base::Result<void> ChildMerge::place_waiting() {
  for (const Waiting& waiting : waiting_) {
    CLEVER_ASSIGN(const bool room, has_room(waiting));
    if (!room) {
      Case file = waiting.file;
      file.sides.ours = waiting.place.blocker ? waiting.place.blocker : waiting.place.node;
      if (waiting.place.blocker) file.ours_path = waiting.place.blocker_path;
      report(file, ConflictKind::kFileAndFolder, std::nullopt);
      if (!theirs_win()) continue;
      CLEVER_TRY(clear_way(waiting));
    }
    edits_[waiting.file.path] = waiting.node;
  }
  return {};
}

base::Result<bool> ChildMerge::has_room(const Waiting& waiting) {
  if (waiting.place.blocker) return goes(waiting.place.blocker_path);
  return folder_goes(waiting.file.path);
}

bool ChildMerge::goes(const std::string& path) const {
  const auto edit = edits_.find(path);
  return edit != edits_.end() && !edit->second;
}

// Stops at the first file that stays, so it looks at no more files than the child removed.
base::Result<bool> ChildMerge::folder_goes(const std::string& path) {
  bool all = true;
  CLEVER_TRY(walk_folder(path, [&](const std::string& file) { return all = goes(file); }));
  return all;
}

base::Result<void> ChildMerge::clear_way(const Waiting& waiting) {
  if (waiting.place.blocker) {
    edits_[waiting.place.blocker_path] = std::nullopt;
    return {};
  }
  return walk_folder(waiting.file.path, [&](const std::string& file) {
    edits_[file] = std::nullopt;
    return true;
  });
}

base::Result<void> ChildMerge::walk_folder(const std::string& path,
                                           const std::function<bool(const std::string&)>& visit) {
  CLEVER_ASSIGN(const git::TreePath folder, git::TreePath::parse(path));
  return git::walk(
      in_.store, in_.ours, folder,
      [&](const std::string& file, const git::Node& /*node*/) { return visit(file); }, in_.stop);
}

base::Result<git::ObjectId> ChildMerge::edited_tree() {
  std::vector<git::TreeChange> changes;
  for (const auto& [path, node] : edits_) {
    CLEVER_ASSIGN(git::TreePath parsed, git::TreePath::parse(path));
    changes.push_back({std::move(parsed), node});
  }
  return git::edit_tree(in_.store, in_.ours, std::move(changes));
}

}  // namespace clever::diff::internal
