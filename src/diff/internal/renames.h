#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "base/stop_token.h"
#include "git/object_store.h"
#include "git/tree.h"

namespace clever::diff::internal {

/// An entry removed at one path and added at another; indices into the differences.
struct Rename {
  std::size_t from = 0;
  std::size_t to = 0;
  std::uint32_t similarity = 0;  // percent

  friend bool operator==(const Rename&, const Rename&) = default;
};

/// Equal content first (equal names before others), then files that are at least half similar, the
/// most similar first. Each path is in at most one pair. Sorted by `to`. The number of compared
/// pairs is bounded (FileDiff), and files larger than a megabyte are compared by their ids alone.
[[nodiscard]] base::Result<std::vector<Rename>> find_renames(
    git::ObjectStore& store, std::span<const git::TreeDifference> differences,
    const base::StopToken& stop);

}  // namespace clever::diff::internal
