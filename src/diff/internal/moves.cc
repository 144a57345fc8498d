#include "diff/internal/moves.h"

#include <algorithm>

#include "diff/internal/renames.h"

namespace clever::diff::internal {

base::Result<Renames> renames_among(git::ObjectStore& store,
                                    const std::vector<git::TreeDifference>& differences,
                                    const base::StopToken& stop) {
  CLEVER_ASSIGN(const std::vector<Rename> found, find_renames(store, differences, stop));
  Renames renames;
  for (const Rename& rename : found) {
    renames.emplace(differences[rename.from].path.text(), differences[rename.to].path.text());
  }
  return renames;
}

void Moves::add(std::vector<git::TreeDifference> changes) {
  for (const git::TreeDifference& change : changes) {
    if (!change.after) removed_by_[change.path.text()].push_back(steps_.size());
  }
  steps_.push_back({std::move(changes)});
}

base::Result<std::optional<std::string>> Moves::locate(const git::ObjectId& base,
                                                       const std::string& path) {
  CLEVER_ASSIGN(const Renames* renames, before_the_first(base));
  const auto moved = renames->find(path);
  CLEVER_ASSIGN(std::string found, follow(moved == renames->end() ? path : moved->second));
  if (found == path) return std::optional<std::string>();
  return std::optional(std::move(found));
}

base::Result<std::string> Moves::follow(std::string path) {
  for (std::size_t next = 0;;) {
    const auto removed = removed_by_.find(path);
    if (removed == removed_by_.end()) return path;
    const auto step = std::ranges::lower_bound(removed->second, next);
    if (step == removed->second.end()) return path;
    CLEVER_ASSIGN(const Renames* renames, of_step(*step));
    next = *step + 1;
    if (const auto moved = renames->find(path); moved != renames->end()) path = moved->second;
  }
}

base::Result<const Renames*> Moves::before_the_first(const git::ObjectId& base) {
  const auto known = from_base_.find(base);
  if (known != from_base_.end()) return &known->second;
  CLEVER_ASSIGN(const auto differences, git::compare(store_, base, start_, stop_));
  CLEVER_ASSIGN(Renames renames, renames_among(store_, differences, stop_));
  return &from_base_.emplace(base, std::move(renames)).first->second;
}

base::Result<const Renames*> Moves::of_step(std::size_t index) {
  Step& step = steps_[index];
  if (!step.renames) {
    CLEVER_ASSIGN(step.renames, renames_among(store_, step.changes, stop_));
  }
  return &*step.renames;
}

}  // namespace clever::diff::internal
