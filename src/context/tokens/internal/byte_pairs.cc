#include "context/tokens/internal/byte_pairs.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <queue>
#include <tuple>

namespace clever::context::internal {
namespace {

constexpr std::size_t kFewBytes = 48;

/// The parts of a piece, as a list that supports removal.
class Parts {
 public:
  Parts(const Vocabulary& vocabulary, std::string_view piece)
      : vocabulary_(vocabulary), piece_(piece), next_(piece.size() + 1), before_(next_.size()) {
    for (std::uint32_t i = 0; i < next_.size(); ++i) {
      next_[i] = i + 1;
      before_[i] = i - 1;
    }
  }

  void queue_pair(std::uint32_t begin) {
    const std::uint32_t middle = next_[begin];
    if (middle >= piece_.size()) return;
    const std::uint32_t end = next_[middle];
    const std::uint32_t rank = vocabulary_.rank(piece_.substr(begin, end - begin));
    if (rank != Vocabulary::kNone) queue_.emplace(rank, begin, end);
  }

  void merge_all() {
    while (!queue_.empty()) {
      const auto [rank, begin, end] = queue_.top();
      queue_.pop();
      if (is_current(begin, end)) merge(begin, end);
    }
  }

  [[nodiscard]] std::vector<std::uint32_t> tokens() const {
    std::vector<std::uint32_t> tokens;
    for (std::uint32_t begin = 0; begin < piece_.size(); begin = next_[begin]) {
      tokens.push_back(vocabulary_.rank(piece_.substr(begin, next_[begin] - begin)));
    }
    return tokens;
  }

 private:
  // The part at 0 is never removed: nothing precedes it.
  [[nodiscard]] bool is_current(std::uint32_t begin, std::uint32_t end) const {
    if (next_[begin] == kTaken) return false;
    const std::uint32_t middle = next_[begin];
    return middle < piece_.size() && next_[middle] == end;
  }
  void merge(std::uint32_t begin, std::uint32_t end) {
    const std::uint32_t middle = next_[begin];
    next_[begin] = end;
    before_[end] = begin;
    next_[middle] = kTaken;
    queue_pair(begin);
    if (begin != 0) queue_pair(before_[begin]);
  }

  static constexpr std::uint32_t kTaken = 0;
  using Pair = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  // rank, begin, end

  const Vocabulary& vocabulary_;
  const std::string_view piece_;
  std::vector<std::uint32_t> next_;
  std::vector<std::uint32_t> before_;
  std::priority_queue<Pair, std::vector<Pair>, std::greater<>> queue_;
};

std::vector<std::uint32_t> tokens_between(const Vocabulary& vocabulary, std::string_view piece,
                                          const std::vector<std::uint32_t>& begins) {
  std::vector<std::uint32_t> tokens;
  for (std::size_t i = 0; i + 1 < begins.size(); ++i) {
    tokens.push_back(vocabulary.rank(piece.substr(begins[i], begins[i + 1] - begins[i])));
  }
  return tokens;
}

}  // namespace

std::vector<std::uint32_t> merge_by_queue(const Vocabulary& vocabulary, std::string_view piece) {
  Parts parts(vocabulary, piece);
  for (std::uint32_t i = 0; i < piece.size(); ++i) parts.queue_pair(i);
  parts.merge_all();
  return parts.tokens();
}

std::vector<std::uint32_t> merge_by_looking(const Vocabulary& vocabulary, std::string_view piece) {
  BytePairs pairs(vocabulary);
  return tokens_between(vocabulary, piece, pairs.looked_at(piece));
}

std::uint32_t BytePairs::pair_rank(std::string_view piece, std::size_t part) const {
  if (part + 2 >= begins_.size()) return Vocabulary::kNone;
  return vocabulary_.rank(piece.substr(begins_[part], begins_[part + 2] - begins_[part]));
}

const std::vector<std::uint32_t>& BytePairs::looked_at(std::string_view piece) {
  begins_.resize(piece.size() + 1);
  for (std::uint32_t i = 0; i < begins_.size(); ++i) begins_[i] = i;
  ranks_.resize(begins_.size());
  for (std::size_t i = 0; i < ranks_.size(); ++i) ranks_[i] = pair_rank(piece, i);
  while (true) {
    const auto best = std::ranges::min_element(ranks_);
    if (best == ranks_.end() || *best == Vocabulary::kNone) return begins_;
    const std::ptrdiff_t at = best - ranks_.begin();
    const auto part = static_cast<std::size_t>(at);
    begins_.erase(begins_.begin() + at + 1);
    ranks_.erase(ranks_.begin() + at + 1);
    ranks_[part] = pair_rank(piece, part);
    if (part > 0) ranks_[part - 1] = pair_rank(piece, part - 1);
  }
}

void BytePairs::append_tokens(std::string_view piece, std::vector<std::uint32_t>& tokens) {
  if (const std::uint32_t whole = vocabulary_.rank(piece); whole != Vocabulary::kNone) {
    tokens.push_back(whole);
    return;
  }
  for (std::size_t at = 0; at < piece.size(); at += kLongestPiece) {
    const std::string_view part = piece.substr(at, kLongestPiece);
    const auto merged = part.size() <= kFewBytes
                            ? tokens_between(vocabulary_, part, looked_at(part))
                            : merge_by_queue(vocabulary_, part);
    tokens.insert(tokens.end(), merged.begin(), merged.end());
  }
}

std::size_t BytePairs::count(std::string_view piece) {
  if (vocabulary_.rank(piece) != Vocabulary::kNone) return 1;
  if (piece.size() <= kFewBytes) return looked_at(piece).size() - 1;
  std::size_t count = 0;
  for (std::size_t at = 0; at < piece.size(); at += kLongestPiece) {
    count += merge_by_queue(vocabulary_, piece.substr(at, kLongestPiece)).size();
  }
  return count;
}

std::size_t PieceCounts::of(std::string_view piece) {
  // The slot is derived from the piece's length and its first eight bytes.
  std::uint64_t word = piece.size();
  std::memcpy(&word, piece.data(), std::min(piece.size(), sizeof word));
  const std::uint64_t hash = (word + piece.size()) * 0x9E3779B97F4A7C15ULL;
  Counted& counted = known_[(hash >> 32U) % kRemembered];
  if (counted.piece != piece) counted = {piece, pairs_.count(piece)};
  return counted.tokens;
}

}  // namespace clever::context::internal
