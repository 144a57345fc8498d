#pragma once
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/stop_token.h"
#include "git/object_store.h"
#include "git/tree.h"

namespace clever::diff::internal {

/// Old path to new path.
using Renames = std::map<std::string, std::string, std::less<>>;

[[nodiscard]] base::Result<Renames> renames_among(
    git::ObjectStore& store, const std::vector<git::TreeDifference>& differences,
    const base::StopToken& stop);

/// Where files moved in the result of a merge so far. Searches renames only in changes that removed
/// a requested path, and once.
///
/// Owned by one merge; not thread-safe.
class Moves {
 public:
  Moves(git::ObjectStore& store, const git::ObjectId& start, const base::StopToken& stop)
      : store_(store), start_(start), stop_(stop) {}

  /// Records a child's changes, which are now in the result.
  void add(std::vector<git::TreeDifference> changes);

  /// Where a file of that base is now, if it was moved. The caller checks whether it is still
  /// there.
  base::Result<std::optional<std::string>> locate(const git::ObjectId& base,
                                                  const std::string& path);

 private:
  struct Step {
    std::vector<git::TreeDifference> changes;
    std::optional<Renames> renames{};
  };

  base::Result<const Renames*> before_the_first(const git::ObjectId& base);
  base::Result<const Renames*> of_step(std::size_t index);
  base::Result<std::string> follow(std::string path);

  git::ObjectStore& store_;
  const git::ObjectId start_;
  const base::StopToken& stop_;
  std::vector<Step> steps_;
  std::map<std::string, std::vector<std::size_t>, std::less<>> removed_by_;  // steps
  std::map<git::ObjectId, Renames> from_base_;  // renames between a base and start_
};

}  // namespace clever::diff::internal
