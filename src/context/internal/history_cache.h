#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "context/internal/commit_table.h"

// The file in which commits are kept once they have been read: numbers of variable length behind a
// line with the format and what it was made for, and the SHA-256 of all that at the end.
namespace clever::context::internal {

/// What commits were read for: a file made for something else is of no use.
struct CacheKey {
  std::uint64_t most_commits = 0;
  std::uint64_t most_files = 0;
  friend bool operator==(const CacheKey&, const CacheKey&) = default;
};

[[nodiscard]] std::string cache_bytes(const CommitTable& table, const CacheKey& key);

/// `corruption` for whatever `cache_bytes` did not write, `not_found` for what it wrote with
/// another key or with another idea of words.
[[nodiscard]] base::Result<CommitTable> cache_from(std::string_view bytes, const CacheKey& key);

}  // namespace clever::context::internal
