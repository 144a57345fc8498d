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

namespace clever::diff {

enum class MergeStrategy : std::uint8_t {
  kGitThreeWay,  // each child's change against its base is merged into the result so far; both
                 // changed the same lines: a conflict, kept with its markers
  kSequentialApply,  // each child's changes are replayed onto the previous result as a patch: a
                     // hunk may move, and one that does not fit is a conflict
  kFailOnConflict,  // as three-way; the first conflict refuses the whole merge
  kLastWins,  // as three-way; in a conflict the later child's file is taken whole, and said so
};
[[nodiscard]] std::string_view to_string(MergeStrategy strategy) noexcept;
[[nodiscard]] base::Result<MergeStrategy> merge_strategy_from_string(std::string_view name);

/// One side of a merge.
struct Child {
  std::string name;  // of the plan, for messages and markers
  git::ObjectId base;
  git::ObjectId tree;
  /// What it read; may be empty.
  std::set<std::string> reads{};
};

enum class ConflictKind : std::uint8_t {
  kContent,
  kBinary,
  kDeletedByUs,
  kDeletedByThem,
  kBothAdded,
  kMode,
  kFileAndFolder,
  kLink,
  kSubmodule
};
[[nodiscard]] std::string_view to_string(ConflictKind kind) noexcept;

/// Both sides of a disagreement, kept until somebody resolves it. A value.
struct Conflict {
  std::string path;
  ConflictKind kind = ConflictKind::kContent;
  std::optional<git::Node> base{};
  std::optional<git::Node> ours{};
  std::optional<git::Node> theirs{};
  /// The file with conflict markers, if it is text: what the merged tree holds at the path. Else
  /// the tree keeps ours.
  std::optional<git::ObjectId> marked{};
  std::string child{};
  /// kLastWins: decided, only told.
  bool settled = false;

  friend bool operator==(const Conflict&, const Conflict&) = default;
};

/// A child read what an earlier one changed: it may have worked from something that is no longer
/// so.
struct StaleRead {
  std::string child;
  std::string path;
  std::string changed_by;

  friend bool operator==(const StaleRead&, const StaleRead&) = default;
};

struct Merged {
  git::ObjectId tree;
  std::vector<Conflict> conflicts{};
  std::vector<StaleRead> stale_reads{};

  [[nodiscard]] bool clean() const;
};

/// Merges the children into `ours`, in this order; the result depends on nothing else. Linear in
/// what the children changed. kFailOnConflict: `conflict` with the list.
[[nodiscard]] base::Result<Merged> merge(git::ObjectStore& store, const git::ObjectId& ours,
                                         const std::vector<Child>& children, MergeStrategy strategy,
                                         const base::StopToken& stop = {});

/// Three texts; markers name the sides. A pure function.
struct MergedText {
  std::string content;
  std::uint64_t conflicts = 0;
};
struct TextNames {
  std::string ours = "ours";
  std::string base = "base";
  std::string theirs = "theirs";
};
[[nodiscard]] base::Result<MergedText> merge_texts(std::string_view base, std::string_view ours,
                                                   std::string_view theirs, const TextNames& names);

}  // namespace clever::diff
