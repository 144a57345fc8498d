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

/// The change of one file, link or submodule between two trees. A value.
///
/// A link's content is its target, a submodule's is git's line for it. If the kind changed, the
/// first hunk removes all of the old content and the last adds all of the new.
struct FileDiff {
  std::string path;
  /// Set after a rename (same content, or at least half of its bytes in common lines). A new path
  /// has one origin and an old one at most one target. Empty files have none, nor has a link that a
  /// folder replaced (git would not apply it).
  std::optional<std::string> from{};
  std::uint32_t similarity = 0;  // percent, of a rename
  std::optional<git::Node> before{};
  std::optional<git::Node> after{};
  bool binary = false;
  std::uint64_t old_size = 0;  // bytes
  std::uint64_t new_size = 0;
  /// Too large to compare line by line: shown like a binary file.
  bool too_large = false;
  std::uint64_t added = 0;  // lines
  std::uint64_t removed = 0;
  std::vector<Hunk> hunks{};

  friend bool operator==(const FileDiff&, const FileDiff&) = default;
};

struct TreeDiffOptions {
  DiffOptions text{};
  bool find_renames = true;
  /// In bytes; larger files are not compared line by line.
  std::uint64_t largest_file = std::uint64_t{16} << 20U;
};

/// Sorted by path. Reads only what differs. Searches renames among removed and added files: always
/// by equal content, by similarity among at most 40,000 pairs (beyond that, only between equal
/// names).
[[nodiscard]] base::Result<std::vector<FileDiff>> diff_trees(git::ObjectStore& store,
                                                             const git::ObjectId& before,
                                                             const git::ObjectId& after,
                                                             const TreeDiffOptions& options = {},
                                                             const base::StopToken& stop = {});

/// The output of `git diff --full-index`, for `git apply`. A binary file is a single line: git
/// applies that only where the new content exists already.
[[nodiscard]] std::string unified(const std::vector<FileDiff>& files);
/// The output of `git diff --stat=width`.
[[nodiscard]] std::string stat(const std::vector<FileDiff>& files, std::size_t width);
/// The unified form with the changed words of each line as [-removed-]{+added+}, like `git diff
/// --word-diff`. For reading, not for applying.
[[nodiscard]] std::string word_diff(const std::vector<FileDiff>& files);

/// The choices in a file's difference, in order: whole_file_id() if there is more than lines (it is
/// binary, empty, a link, a submodule or too large, or its mode, name or kind changed), and the ids
/// of its hunks. For a link, submodule or changed kind all hunks have the whole file's id: they are
/// one choice.
[[nodiscard]] std::vector<std::string> choices_of(const FileDiff& file);
/// Names the changes besides the lines. Independent of the lines, if there are any.
[[nodiscard]] std::string whole_file_id(const FileDiff& file);

/// The tree `before` with only the chosen parts of its difference to `after`: all choices give
/// `after`, none gives `before`. The lines of a renamed file can be chosen without the rename (they
/// land at the old path), and the rename without the lines; likewise a mode. `invalid_argument`
/// names an unknown id, or a choice that needs another one (a file that replaces a folder whose
/// removal was not chosen).
[[nodiscard]] base::Result<git::ObjectId> choose_hunks(git::ObjectStore& store,
                                                       const git::ObjectId& before,
                                                       const git::ObjectId& after,
                                                       const std::vector<std::string>& ids,
                                                       const TreeDiffOptions& options = {});

}  // namespace clever::diff
