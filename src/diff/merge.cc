#include "diff/merge.h"

#include <algorithm>
#include <iterator>

#include "diff/internal/change_log.h"
#include "diff/internal/child_merge.h"
#include "diff/internal/moves.h"

namespace clever::diff {
namespace {

constexpr std::size_t kShownConflicts = 20;

base::Error refusal(const std::vector<Conflict>& conflicts) {
  std::string message = std::to_string(conflicts.size()) +
                        (conflicts.size() == 1 ? " conflict" : " conflicts") + " while merging '" +
                        git::printable(conflicts.front().child) + "': ";
  for (std::size_t i = 0; i < std::min(conflicts.size(), kShownConflicts); ++i) {
    message.append(i == 0 ? "" : ", ").append(git::printable(conflicts[i].path));
    message.append(" (").append(to_string(conflicts[i].kind)).append(")");
  }
  if (conflicts.size() > kShownConflicts) message += ", …";
  return base::conflict(std::move(message));
}

class Merge {
 public:
  Merge(git::ObjectStore& store, const git::ObjectId& ours, MergeStrategy strategy,
        const base::StopToken& stop)
      : store_(store), strategy_(strategy), stop_(stop), moves_(store, ours, stop) {
    merged_.tree = ours;
  }

  /// One that is merged already.
  base::Result<void> know(const Child& child) {
    CLEVER_ASSIGN(const auto changes, git::compare(store_, child.base, child.tree, stop_));
    authors_.add(child.name, changes);
    return {};
  }

  base::Result<void> add(const Child& child) {
    CLEVER_TRY(note_stale_reads(child));
    CLEVER_ASSIGN(auto changes, git::compare(store_, child.base, child.tree, stop_));
    CLEVER_TRY(add_changes(child, changes));
    log_.add(child.name, changes);
    authors_.add(child.name, changes);
    moves_.add(std::move(changes));
    return {};
  }

  Merged finish() && { return std::move(merged_); }

 private:
  base::Result<void> note_stale_reads(const Child& child) {
    CLEVER_ASSIGN(auto stale, log_.stale_reads(store_, child, merged_.tree));
    std::ranges::move(stale, std::back_inserter(merged_.stale_reads));
    return {};
  }

  base::Result<void> add_changes(const Child& child,
                                 const std::vector<git::TreeDifference>& changes) {
    if (merged_.tree == child.base) {
      merged_.tree = child.tree;
      return {};
    }
    const internal::ChildMergeInput input{store_,    merged_.tree, child,    changes,
                                          strategy_, moves_,       authors_, stop_};
    CLEVER_ASSIGN(auto outcome, internal::ChildMerge(input).run());
    if (strategy_ == MergeStrategy::kFailOnConflict && !outcome.conflicts.empty()) {
      return refusal(outcome.conflicts);
    }
    merged_.tree = outcome.tree;
    std::ranges::move(outcome.conflicts, std::back_inserter(merged_.conflicts));
    return {};
  }

  git::ObjectStore& store_;
  const MergeStrategy strategy_;
  const base::StopToken& stop_;
  internal::Moves moves_;
  internal::ChangeLog log_;
  // With those that were merged before.
  internal::ChangeLog authors_;
  Merged merged_;
};

}  // namespace

bool Merged::clean() const { return std::ranges::all_of(conflicts, &Conflict::settled); }

base::Result<Merged> merge(git::ObjectStore& store, const git::ObjectId& ours,
                           const std::vector<Child>& children, MergeStrategy strategy,
                           const base::StopToken& stop, const std::vector<Child>& earlier) {
  Merge merging(store, ours, strategy, stop);
  for (const Child& child : earlier) CLEVER_TRY(merging.know(child));
  for (const Child& child : children) {
    if (stop.stop_requested()) return base::cancelled("merging was stopped");
    CLEVER_TRY(merging.add(child).context("merging " + git::printable(child.name)));
  }
  return std::move(merging).finish();
}

}  // namespace clever::diff
