#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "git/object_id.h"
#include "git/tree_entry.h"

// Parses git's output about a working tree and an index. Pure.
namespace clever::git::internal {

/// One path of `git status --porcelain=v2 -z --no-renames`.
struct StatusEntry {
  std::string path;
  /// Not in the index.
  bool untracked = false;
  bool unmerged = false;
  /// The file differs from the index.
  bool differs_from_index = false;
  /// The contents in the commit and in the index; nothing if there is none.
  std::optional<Node> committed{};
  std::optional<Node> staged{};
};

struct StatusList {
  std::vector<StatusEntry> entries;
  /// The commit that git compared with; none before the first.
  std::optional<ObjectId> commit;
  /// "refs/heads/main"; empty if HEAD is detached, none if git does not say.
  std::optional<std::string> branch{};
};

/// `corruption` for output that git does not produce.
[[nodiscard]] base::Result<StatusList> parse_status(std::string_view output);

/// One path of `git ls-files --stage -z`.
struct IndexEntry {
  std::string_view path;  // points into the output
  Node node{};
};
[[nodiscard]] base::Result<std::vector<IndexEntry>> parse_stage_list(std::string_view output);

}  // namespace clever::git::internal
