#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/stop_token.h"
#include "diff/text_diff.h"
#include "git/object_store.h"
#include "git/tree.h"

namespace clever::diff {

/// What happened to one file between two trees. A value.
struct FileDiff {
  std::string path;
  /// If it was renamed (same content, or at least half of its lines).
  std::optional<std::string> from{};
  std::uint32_t similarity = 0;  // percent, of a rename
  std::optional<git::Node> before{};
  std::optional<git::Node> after{};
  bool binary = false;
  std::uint64_t old_size = 0;
  std::uint64_t new_size = 0;
  /// Too large to compare line by line: shown like a binary file.
  bool too_large = false;
  std::uint64_t added = 0;  // lines
  std::uint64_t removed = 0;
  std::vector<Hunk> hunks{};
};

struct TreeDiffOptions {
  DiffOptions text{};
  bool find_renames = true;
  std::uint64_t largest_file = std::uint64_t{16} << 20U;
};

/// Sorted by path.
[[nodiscard]] base::Result<std::vector<FileDiff>> diff_trees(git::ObjectStore& store,
                                                             const git::ObjectId& before,
                                                             const git::ObjectId& after,
                                                             const TreeDiffOptions& options = {},
                                                             const base::StopToken& stop = {});

/// As `git diff` prints it, so that `git apply` takes it (binary files as a summary line).
[[nodiscard]] std::string unified(const std::vector<FileDiff>& files);
/// The lines of `git diff --stat`.
[[nodiscard]] std::string stat(const std::vector<FileDiff>& files, std::size_t width);
/// With {+added+} and [-removed-] words, as `git diff --word-diff` prints them.
[[nodiscard]] base::Result<std::string> word_diff(git::ObjectStore& store,
                                                  const std::vector<FileDiff>& files);

/// The tree with only the chosen hunks of the difference. A file without hunks (binary, mode,
/// empty, link, rename) is one hunk of its own, whose id is whole_file_id(). `invalid_argument`
/// names an unknown id.
[[nodiscard]] base::Result<git::ObjectId> choose_hunks(git::ObjectStore& store,
                                                       const git::ObjectId& before,
                                                       const git::ObjectId& after,
                                                       const std::vector<std::string>& ids,
                                                       const TreeDiffOptions& options = {});
[[nodiscard]] std::string whole_file_id(const FileDiff& file);

}  // namespace clever::diff
