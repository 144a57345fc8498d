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

/// What happened to one file, link or submodule between two trees. A value.
///
/// A link's content is its target, a submodule's the line by which git shows it. Where one kind of
/// thing became another, the first hunk removes all of the old and the last adds all of the new.
struct FileDiff {
  std::string path;
  /// If it was renamed (same content, or at least half of its bytes in lines of both). A new path
  /// has one origin and an old one at most one target; empty files have none, nor has a link in
  /// whose place a folder came (git would not apply it).
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
  /// Bytes; larger files are not compared line by line.
  std::uint64_t largest_file = std::uint64_t{16} << 20U;
};

/// Sorted by path. Reads what differs and nothing else. Renames are looked for among what went and
/// what came: by equal content always, by similarity among at most 40,000 pairs (beyond that, only
/// between equal names).
[[nodiscard]] base::Result<std::vector<FileDiff>> diff_trees(git::ObjectStore& store,
                                                             const git::ObjectId& before,
                                                             const git::ObjectId& after,
                                                             const TreeDiffOptions& options = {},
                                                             const base::StopToken& stop = {});

/// As `git diff --full-index` prints it, so that `git apply` takes it. A binary file is the line
/// that says so: git applies that only where it has the new content already.
[[nodiscard]] std::string unified(const std::vector<FileDiff>& files);
/// As `git diff --stat=width` prints it.
[[nodiscard]] std::string stat(const std::vector<FileDiff>& files, std::size_t width);
/// The unified form with the changed words of each line as [-removed-]{+added+}, in the manner of
/// `git diff --word-diff`. For reading, not for applying.
[[nodiscard]] std::string word_diff(const std::vector<FileDiff>& files);

/// What can be chosen of a file's difference, in order: whole_file_id() if there is more to it than
/// lines (it is binary, empty, a link, a submodule or too large, or its mode, name or kind
/// changed), and the ids of its hunks. Of a link, submodule or changed kind all hunks bear the
/// whole file's id: they are one choice.
[[nodiscard]] std::vector<std::string> choices_of(const FileDiff& file);
/// Names what changed beside the lines. Stays the same while the lines change, if there are any.
[[nodiscard]] std::string whole_file_id(const FileDiff& file);

/// The tree `before` with only the chosen parts of its difference to `after`: all choices give
/// `after`, none gives `before`. Of a renamed file the lines can be chosen without the rename (they
/// land at the old path), and the rename without the lines; a mode likewise. `invalid_argument`
/// names an id that is not there, or a choice that cannot stand without another (a file in the
/// place of a folder that was not chosen to go).
[[nodiscard]] base::Result<git::ObjectId> choose_hunks(git::ObjectStore& store,
                                                       const git::ObjectId& before,
                                                       const git::ObjectId& after,
                                                       const std::vector<std::string>& ids,
                                                       const TreeDiffOptions& options = {});

}  // namespace clever::diff
