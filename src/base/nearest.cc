#include "base/nearest.h"

#include <algorithm>
#include <numeric>

namespace clever::base {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// A longer word is not a typing mistake, and the table grows with the input.
constexpr std::size_t kLongestWord = 256;

}  // namespace

std::size_t edit_distance(std::string_view left, std::string_view right) {
  if (std::max(left.size(), right.size()) > kLongestWord)
    return std::max(left.size(), right.size());
  // Three rows of the table: a swap of neighbours looks two rows back.
  std::vector<std::size_t> before(right.size() + 1);
  std::vector<std::size_t> above(right.size() + 1);
  std::vector<std::size_t> row(right.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= left.size(); ++i) {
    before.swap(above);
    above.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= right.size(); ++j) {
      const char a = lower(left[i - 1]);
      const char b = lower(right[j - 1]);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a == b ? 0U : 1U)});
      const bool swapped =
          i > 1 && j > 1 && a == lower(right[j - 2]) && lower(left[i - 2]) == b && a != b;
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row.back();
}

std::optional<std::string> nearest_match(std::string_view word,
                                         const std::vector<std::string>& candidates) {
  std::optional<std::string> best;
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    // A word that shares nothing with the candidate is no suggestion.
    if (distance >= best_distance || distance >= candidate.size()) continue;
    best = candidate;
    best_distance = distance;
  }
  return best;
}

}  // namespace clever::base
