#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "context/internal/commit_table.h"

// The cache file of commits that were read: a line with the format and key, numbers of variable
// length, and the SHA-256 of all that at the end.
namespace clever::context::internal {

/// The key of a cache: a file with another key is useless.
struct CacheKey {
  std::uint64_t most_commits = 0;
  std::uint64_t most_files = 0;
  friend bool operator==(const CacheKey&, const CacheKey&) = default;
};

[[nodiscard]] std::string cache_bytes(const CommitTable& table, const CacheKey& key);

/// `corruption` for anything that `cache_bytes` did not write, `not_found` for another key or
/// another way of splitting words.
[[nodiscard]] base::Result<CommitTable> cache_from(std::string_view bytes, const CacheKey& key);

}  // namespace clever::context::internal
