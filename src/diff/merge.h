#pragma once
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/stop_token.h"
#include "git/object_store.h"
#include "git/tree.h"

// Merges the work of several plans into one tree.
//
// Children are merged one after another into the result so far ("ours"). For each path that a child
// ("theirs") changed against its own base:
//
//   ours equals the base            theirs is taken
//   ours equals theirs              nothing to do
//   both are files                  the mode and the text are merged, each against the base; text
//                                   as the strategy says
//   one side moved the file         the other side's change follows it (found as in FileDiff::from)
//   anything else                   a conflict, whose kind says which
//
// In a conflict the tree has the file with conflict markers if both sides are text, else ours
// (nothing, if ours had removed it). The child's other changes are merged nevertheless.
//
// Differences from `git merge`: folders are not renamed as a whole (a file that the other side adds
// in the old folder stays there); texts are compared by Myers' algorithm, like `git merge-file`,
// where `git merge` uses the histogram one; in a conflict between a file and a folder, or of two
// renames, nothing gets an invented name, and only ours stays.
namespace clever::diff {

enum class MergeStrategy : std::uint8_t {
  /// Text: three-way, line by line, like `git merge-file`. Lines that both changed, or that touch
  /// each other, conflict; the same change on both sides does not.
  kGitThreeWay,
  /// Text: replays the child's change onto ours as a patch with three lines of context. Each block
  /// goes to the nearest place, after the block before it, with exactly the lines it expects; one
  /// that fits nowhere is a conflict, even if ours has made the same change.
  kSequentialApply,
  /// As kGitThreeWay, but the first child with a conflict refuses the whole merge.
  kFailOnConflict,
  /// As kGitThreeWay, but in a conflict takes the child's file whole (or its removal), and removes
  /// what is in its way. Reports the conflict as settled.
  kLastWins,
};
/// "git_three_way", "sequential_apply", "fail_on_conflict", "last_wins".
[[nodiscard]] std::string_view to_string(MergeStrategy strategy) noexcept;
[[nodiscard]] base::Result<MergeStrategy> merge_strategy_from_string(std::string_view name);

/// One side of a merge. A value.
struct Child {
  std::string name;  // of the plan, for messages and markers
  git::ObjectId base;
  git::ObjectId tree;
  /// The paths it read; may be empty. One that ends in '/' stands for everything below it.
  std::set<std::string> reads{};
};

enum class ConflictKind : std::uint8_t {
  kContent,        // both changed the same lines
  kBinary,         // both changed a file that cannot be merged by lines, or is larger than 16 MiB
  kDeletedByUs,    // theirs changed or moved it
  kDeletedByThem,  // ours changed or moved it
  kBothAdded,      // different files at one new path
  kMode,           // both added the file, one of them executable
  kFileAndFolder,  // theirs is a file where ours has a folder, or lies below a file of ours
  kLink,           // a link on at least one side
  kSubmodule,      // a submodule on at least one side
  kRename,         // moved to two different places
};
[[nodiscard]] std::string_view to_string(ConflictKind kind) noexcept;

/// Both sides of a conflict, kept until it is resolved. A value.
struct Conflict {
  /// Its path in the merged tree.
  std::string path;
  /// Its path in the base, if different.
  std::optional<std::string> from{};
  ConflictKind kind = ConflictKind::kContent;
  std::optional<git::Node> base{};
  /// kFileAndFolder: the entry in the way.
  std::optional<git::Node> ours{};
  /// Its path in ours, or that of the entry in the way, if different.
  std::optional<std::string> ours_path{};
  std::optional<git::Node> theirs{};
  /// The file with conflict markers, if it is text: the content of the merged tree at the path,
  /// unless a later child changed it too.
  std::optional<git::ObjectId> marked{};
  /// The child whose change it was.
  std::string child{};
  /// kLastWins: settled, only reported.
  bool settled = false;

  friend bool operator==(const Conflict&, const Conflict&) = default;
};

/// A child read a path that an earlier one changed, without seeing the change: its work may be
/// based on outdated content. A value.
struct StaleRead {
  std::string child;
  std::string path;
  /// The last child that changed it.
  std::string changed_by;

  friend bool operator==(const StaleRead&, const StaleRead&) = default;
};

struct Merged {
  git::ObjectId tree;
  /// In the children's order, those of one child by path.
  std::vector<Conflict> conflicts{};
  std::vector<StaleRead> stale_reads{};

  /// No conflict is open.
  [[nodiscard]] bool clean() const;

  friend bool operator==(const Merged&, const Merged&) = default;
};

/// Merges the children into `ours`, in this order; the result depends on nothing else. Reads and
/// writes only what the children changed and the folders above it. New objects are in the store's
/// memory. kFailOnConflict: `conflict` with the list. `cancelled` on a stop.
/// `earlier`: children that are in `ours` already, for the names in markers.
[[nodiscard]] base::Result<Merged> merge(git::ObjectStore& store, const git::ObjectId& ours,
                                         const std::vector<Child>& children, MergeStrategy strategy,
                                         const base::StopToken& stop = {},
                                         const std::vector<Child>& earlier = {});

struct MergedText {
  std::string content;
  std::uint64_t conflicts = 0;

  friend bool operator==(const MergedText&, const MergedText&) = default;
};
struct TextNames {
  std::string ours = "ours";
  std::string base = "base";
  std::string theirs = "theirs";
};
/// Merges three texts like kGitThreeWay. Conflicts show all three sides between markers that name
/// them, in git's zdiff3 style; the markers have seven characters, or more if the texts have
/// similar lines. A pure function. `resource_exhausted` for more than a gigabyte.
[[nodiscard]] base::Result<MergedText> merge_texts(std::string_view base, std::string_view ours,
                                                   std::string_view theirs, const TextNames& names);
/// The same for kSequentialApply: the change from `base` to `theirs`, replayed onto `ours`.
[[nodiscard]] MergedText replay_text(std::string_view base, std::string_view ours,
                                     std::string_view theirs, const TextNames& names);

}  // namespace clever::diff
