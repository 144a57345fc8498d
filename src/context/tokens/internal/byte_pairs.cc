#include "context/tokens/internal/byte_pairs.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <tuple>

namespace clever::context::internal {
namespace {

constexpr std::size_t kFewBytes = 48;

/// The parts of a piece as a list that parts can be taken out of.
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
  // What begins at 0 was never taken out: nothing comes before it.
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

}  // namespace

std::vector<std::uint32_t> merge_by_queue(const Vocabulary& vocabulary, std::string_view piece) {
  Parts parts(vocabulary, piece);
  for (std::uint32_t i = 0; i < piece.size(); ++i) parts.queue_pair(i);
  parts.merge_all();
  return parts.tokens();
}

std::vector<std::uint32_t> merge_by_looking(const Vocabulary& vocabulary, std::string_view piece) {
  std::vector<std::size_t> begins(piece.size() + 1);
  for (std::size_t i = 0; i < begins.size(); ++i) begins[i] = i;
  // Of each part together with the next one.
  const auto pair_rank = [&](std::size_t i) {
    if (i + 2 >= begins.size()) return Vocabulary::kNone;
    return vocabulary.rank(piece.substr(begins[i], begins[i + 2] - begins[i]));
  };
  std::vector<std::uint32_t> ranks(begins.size());
  for (std::size_t i = 0; i < ranks.size(); ++i) ranks[i] = pair_rank(i);
  while (true) {
    const auto best = std::ranges::min_element(ranks);
    if (best == ranks.end() || *best == Vocabulary::kNone) break;
    const std::ptrdiff_t at = best - ranks.begin();
    begins.erase(begins.begin() + at + 1);
    ranks.erase(ranks.begin() + at + 1);
    ranks[static_cast<std::size_t>(at)] = pair_rank(static_cast<std::size_t>(at));
    if (at > 0)
      ranks[static_cast<std::size_t>(at) - 1] = pair_rank(static_cast<std::size_t>(at) - 1);
  }
  std::vector<std::uint32_t> tokens;
  for (std::size_t i = 0; i + 1 < begins.size(); ++i) {
    tokens.push_back(vocabulary.rank(piece.substr(begins[i], begins[i + 1] - begins[i])));
  }
  return tokens;
}

void append_tokens(const Vocabulary& vocabulary, std::string_view piece,
                   std::vector<std::uint32_t>& tokens) {
  if (const std::uint32_t whole = vocabulary.rank(piece); whole != Vocabulary::kNone) {
    tokens.push_back(whole);
    return;
  }
  for (std::size_t at = 0; at < piece.size(); at += kLongestPiece) {
    const std::string_view part = piece.substr(at, kLongestPiece);
    const auto merged = part.size() <= kFewBytes ? merge_by_looking(vocabulary, part)
                                                 : merge_by_queue(vocabulary, part);
    tokens.insert(tokens.end(), merged.begin(), merged.end());
  }
}

}  // namespace clever::context::internal
