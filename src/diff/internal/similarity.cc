#include "diff/internal/similarity.h"

#include <algorithm>
#include <functional>

namespace clever::diff::internal {
namespace {

// Texts without lines are compared in pieces of this size, as in git.
constexpr std::size_t kLongestPiece = 64;

std::string_view next_piece(std::string_view text) {
  const std::string_view piece = text.substr(0, kLongestPiece);
  const std::size_t end = piece.find('\n');
  return end == std::string_view::npos ? piece : piece.substr(0, end + 1);
}

}  // namespace

Signature::Signature(std::string_view text) : size_(text.size()) {
  while (!text.empty()) {
    const std::string_view piece = next_piece(text);
    bytes_by_hash_.emplace_back(std::hash<std::string_view>()(piece), piece.size());
    text.remove_prefix(piece.size());
  }
  std::ranges::sort(bytes_by_hash_);
  std::size_t kept = 0;
  for (const auto& [hash, bytes] : bytes_by_hash_) {
    if (kept > 0 && bytes_by_hash_[kept - 1].first == hash) {
      bytes_by_hash_[kept - 1].second += bytes;
    } else {
      bytes_by_hash_[kept++] = {hash, bytes};
    }
  }
  bytes_by_hash_.resize(kept);
}

std::uint32_t Signature::similarity(const Signature& other) const {
  const std::size_t larger = std::max(size_, other.size_);
  if (larger == 0) return 100;
  std::size_t common = 0;
  auto mine = bytes_by_hash_.begin();
  auto theirs = other.bytes_by_hash_.begin();
  while (mine != bytes_by_hash_.end() && theirs != other.bytes_by_hash_.end()) {
    if (mine->first == theirs->first) common += std::min(mine->second, theirs->second);
    const bool step_mine = mine->first <= theirs->first;
    const bool step_theirs = theirs->first <= mine->first;
    if (step_mine) ++mine;
    if (step_theirs) ++theirs;
  }
  return static_cast<std::uint32_t>(common * 100 / larger);
}

}  // namespace clever::diff::internal
