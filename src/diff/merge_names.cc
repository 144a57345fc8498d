#include <array>

#include "diff/merge.h"

namespace clever::diff {
namespace {

constexpr std::array kStrategies = {MergeStrategy::kGitThreeWay, MergeStrategy::kSequentialApply,
                                    MergeStrategy::kFailOnConflict, MergeStrategy::kLastWins};

}  // namespace

std::string_view to_string(MergeStrategy strategy) noexcept {
  switch (strategy) {
    case MergeStrategy::kGitThreeWay:
      return "git_three_way";
    case MergeStrategy::kSequentialApply:
      return "sequential_apply";
    case MergeStrategy::kFailOnConflict:
      return "fail_on_conflict";
    case MergeStrategy::kLastWins:
      return "last_wins";
  }
  return "unknown";
}

base::Result<MergeStrategy> merge_strategy_from_string(std::string_view name) {
  std::string known;
  for (const MergeStrategy strategy : kStrategies) {
    if (to_string(strategy) == name) return strategy;
    known.append(known.empty() ? "" : ", ").append(to_string(strategy));
  }
  return base::invalid_argument("'" + git::printable(name) +
                                "' is not a merge strategy; use one of " + known);
}

std::string_view to_string(ConflictKind kind) noexcept {
  switch (kind) {
    case ConflictKind::kContent:
      return "content";
    case ConflictKind::kBinary:
      return "binary";
    case ConflictKind::kDeletedByUs:
      return "deleted_by_us";
    case ConflictKind::kDeletedByThem:
      return "deleted_by_them";
    case ConflictKind::kBothAdded:
      return "both_added";
    case ConflictKind::kMode:
      return "mode";
    case ConflictKind::kFileAndFolder:
      return "file_and_folder";
    case ConflictKind::kLink:
      return "link";
    case ConflictKind::kSubmodule:
      return "submodule";
    case ConflictKind::kRename:
      return "rename";
  }
  return "unknown";
}

}  // namespace clever::diff
