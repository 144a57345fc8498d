#pragma once
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "git/object_store.h"
#include "sandbox/workspace.h"
#include "sandbox/workspace/internal/clean_files.h"
#include "sandbox/workspace/internal/file_pattern.h"
#include "sandbox/workspace/internal/text_search.h"

namespace clever::sandbox::internal {

/// Calls `visit` for each matching file and link, sorted by path, until it returns false. Skips
/// folders without possible matches.
base::Result<void> walk_matching(
    git::ObjectStore& store, const git::ObjectId& tree, const FilePattern& glob,
    const std::function<bool(const std::string& path, const git::Node& node)>& visit,
    const base::StopToken& stop);

struct TreeSearch {
  git::ObjectStore& store;
  const FilePattern& glob;
  const TextSearch& text;
  std::size_t max_results = 1000;
  std::size_t largest_file = 0;
  /// May be null: then every content comes from the store, and the caller does all the work.
  const CleanFiles* clean = nullptr;
  /// Sorted. In the checkout a filter changes these, so they differ from the store.
  const std::vector<git::TreePath>& filtered;
  base::ThreadPool* pool = nullptr;
};

/// The first matches by path and line, for any distribution of the work. Skips files larger than
/// `largest_file`, links and binary files.
[[nodiscard]] base::Result<SearchResult> search_tree(const TreeSearch& search,
                                                     const git::ObjectId& tree,
                                                     const base::StopToken& stop,
                                                     base::Deadline deadline);

}  // namespace clever::sandbox::internal
