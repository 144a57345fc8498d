#pragma once
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/stop_token.h"
#include "diff/internal/change_log.h"
#include "diff/internal/moves.h"
#include "diff/internal/resolve.h"
#include "diff/internal/tree_reader.h"
#include "diff/merge.h"

namespace clever::diff::internal {

/// The inputs of merging one child; all of them outlive the ChildMerge.
struct ChildMergeInput {
  git::ObjectStore& store;
  const git::ObjectId& ours;
  const Child& child;
  const std::vector<git::TreeDifference>& changes;  // of the child against its base
  MergeStrategy strategy;
  Moves& moves;
  /// Whose changes ours holds.
  const ChangeLog& authors;
  const base::StopToken& stop;
};

/// Merges one child's changes into the result so far.
///
/// Lives for one call of run(); not thread-safe. First settles every changed path by itself,
/// including files that one side moved; then places entries that need another entry's path, if that
/// one is gone, which is known only by then.
class ChildMerge {
 public:
  explicit ChildMerge(const ChildMergeInput& input);

  struct Outcome {
    git::ObjectId tree;
    std::vector<Conflict> conflicts;
  };
  base::Result<Outcome> run();

 private:
  // A file to merge, and the paths of its versions.
  struct Case {
    std::string path;                        // its path in the result
    std::optional<std::string> from{};       // its path in the base, if different
    std::optional<std::string> ours_path{};  // its path in ours, if different
    Sides sides{};
  };
  // An entry that needs the path of another entry of ours.
  struct Waiting {
    Case file;
    git::Node node;
    Place place;
  };

  base::Result<void> find_their_renames();
  base::Result<void> merge_rename(const git::TreeDifference& gone, const git::TreeDifference& come);
  base::Result<void> merge_rename_of_missing(Case file);
  base::Result<void> merge_path(const git::TreeDifference& change);
  base::Result<bool> follow_our_move(const git::TreeDifference& change);
  base::Result<std::optional<std::string>> our_path_of(const std::string& path);
  base::Result<std::optional<git::Node>> our_file(const std::string& path);

  base::Result<void> settle(const Case& file);
  base::Result<void> disagree(const Case& file, ConflictKind kind);
  base::Result<void> put(const Case& file, const std::optional<git::Node>& node);

  base::Result<void> place_waiting();
  base::Result<bool> has_room(const Waiting& waiting);
  base::Result<bool> folder_goes(const std::string& path);
  base::Result<void> clear_way(const Waiting& waiting);
  base::Result<void> walk_folder(const std::string& path,
                                 const std::function<bool(const std::string&)>& visit);
  base::Result<git::ObjectId> edited_tree();

  void report(const Case& file, ConflictKind kind, std::optional<git::ObjectId> marked);
  [[nodiscard]] bool theirs_win() const { return in_.strategy == MergeStrategy::kLastWins; }
  [[nodiscard]] bool goes(const std::string& path) const;
  [[nodiscard]] TextNames names_for(const Case& file) const;

  const ChildMergeInput& in_;
  TreeReader ours_;
  const TextRule rule_;
  std::map<std::string, const git::TreeDifference*, std::less<>> changes_;  // by path
  Renames their_renames_;  // of files that ours changed too
  std::set<std::string, std::less<>> done_;
  std::vector<Waiting> waiting_;
  std::map<std::string, std::optional<git::Node>, std::less<>> edits_;  // of ours
  std::vector<Conflict> conflicts_;
};

}  // namespace clever::diff::internal
