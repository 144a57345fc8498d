#include "diff/tree_diff.h"

#include <algorithm>
#include <map>

#include "diff/internal/contents.h"
#include "diff/internal/hunks.h"
#include "diff/internal/identity.h"
#include "diff/internal/renames.h"
#include "diff/internal/whole_file.h"

namespace clever::diff {
namespace {

base::Result<void> fill_sizes(git::ObjectStore& store, FileDiff& file,
                              const TreeDiffOptions& options) {
  if (file.before) {
    CLEVER_ASSIGN(file.old_size, internal::size_of(store, *file.before));
  }
  if (file.after) {
    CLEVER_ASSIGN(file.new_size, internal::size_of(store, *file.after));
  }
  file.too_large = std::max(file.old_size, file.new_size) > options.largest_file;
  return {};
}

// Each side separately: one may be binary.
std::vector<Hunk> replacement(const FileDiff& file, std::string_view before, std::string_view after,
                              const DiffOptions& options) {
  std::vector<Hunk> hunks;
  if (!is_binary(before)) hunks = hunks_of(file.path, before, {}, options);
  if (is_binary(after)) return hunks;
  for (Hunk& hunk : hunks_of(file.path, {}, after, options)) hunks.push_back(std::move(hunk));
  return hunks;
}

void fill_hunks(FileDiff& file, std::string_view before, std::string_view after,
                const DiffOptions& options) {
  if (internal::changes_kind(file)) {
    file.hunks = replacement(file, before, after, options);
  } else if (!file.binary) {
    file.hunks = hunks_of(file.path, before, after, options);
  }
  file.added = internal::count_lines(file.hunks, LineKind::kAdded);
  file.removed = internal::count_lines(file.hunks, LineKind::kRemoved);
  if (!internal::is_one_choice(file)) return;
  const std::string id = whole_file_id(file);
  for (Hunk& hunk : file.hunks) hunk.id = id;
}

base::Result<void> fill(git::ObjectStore& store, FileDiff& file, const TreeDiffOptions& options) {
  CLEVER_TRY(fill_sizes(store, file, options));
  if (file.too_large) return {};
  CLEVER_ASSIGN(const std::string before, internal::content_of(store, file.before));
  if (internal::same_content(file)) {
    file.binary = is_binary(before);
    return {};
  }
  CLEVER_ASSIGN(const std::string after, internal::content_of(store, file.after));
  file.binary = is_binary(before) || is_binary(after);
  fill_hunks(file, before, after, options.text);
  return {};
}

using Origins = std::map<std::size_t, internal::Rename>;  // by index of the added entry

// git does not apply changes below the old path of a moved link.
bool can_be_applied(const std::vector<git::TreeDifference>& differences,
                    const internal::Rename& rename) {
  const git::TreeDifference& gone = differences[rename.from];
  if (gone.before->mode != git::FileMode::kLink) return true;
  const auto text = [](const git::TreeDifference& difference) { return difference.path.text(); };
  const auto below = std::ranges::lower_bound(differences, gone.path.text() + "/", {}, text);
  return below == differences.end() || !below->path.is_below(gone.path);
}

base::Result<Origins> origins_of(git::ObjectStore& store,
                                 const std::vector<git::TreeDifference>& differences,
                                 const TreeDiffOptions& options, const base::StopToken& stop) {
  Origins origins;
  if (!options.find_renames) return origins;
  CLEVER_ASSIGN(const auto renames, internal::find_renames(store, differences, stop));
  for (const internal::Rename& rename : renames) {
    if (can_be_applied(differences, rename)) origins.emplace(rename.to, rename);
  }
  return origins;
}

std::vector<FileDiff> join_renames(const std::vector<git::TreeDifference>& differences,
                                   const Origins& origins) {
  std::vector<bool> moved(differences.size());
  for (const auto& [to, rename] : origins) moved[rename.from] = true;
  std::vector<FileDiff> files;
  for (std::size_t i = 0; i < differences.size(); ++i) {
    if (moved[i]) continue;
    const git::TreeDifference& difference = differences[i];
    FileDiff file{
        .path = difference.path.text(), .before = difference.before, .after = difference.after};
    if (const auto origin = origins.find(i); origin != origins.end()) {
      const git::TreeDifference& source = differences[origin->second.from];
      file.from = source.path.text();
      file.before = source.before;
      file.similarity = origin->second.similarity;
    }
    files.push_back(std::move(file));
  }
  return files;
}

}  // namespace

base::Result<std::vector<FileDiff>> diff_trees(git::ObjectStore& store, const git::ObjectId& before,
                                               const git::ObjectId& after,
                                               const TreeDiffOptions& options,
                                               const base::StopToken& stop) {
  CLEVER_ASSIGN(const auto differences, git::compare(store, before, after, stop));
  CLEVER_ASSIGN(const Origins origins, origins_of(store, differences, options, stop));
  std::vector<FileDiff> files = join_renames(differences, origins);
  for (FileDiff& file : files) {
    if (stop.stop_requested()) return base::cancelled("comparing the trees was stopped");
    CLEVER_TRY(fill(store, file, options).context("comparing " + git::printable(file.path)));
  }
  return files;
}

}  // namespace clever::diff
