#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "context/fragment.h"
#include "context/query.h"
#include "index/code_index.h"

namespace clever::context::internal {

/// The most proposals of one strategy that are considered.
inline constexpr std::size_t kMostProposals = 200;

/// Adds up the evidence for files, and returns the files best first. Used by one thread.
class Tally {
 public:
  explicit Tally(const index::View& view) : view_(&view) {}

  /// Keeps the strongest reason.
  void add(index::FileNumber file, double score, std::string_view why);
  [[nodiscard]] bool empty() const { return files_.empty(); }
  [[nodiscard]] double score(index::FileNumber file) const;
  /// The best `limit`, with a relevance of 1 for the first.
  [[nodiscard]] std::vector<Candidate> candidates(std::size_t limit = kMostProposals) const;
  [[nodiscard]] std::vector<index::Hit> best(std::size_t limit) const;

 private:
  struct Entry {
    double score = 0;
    double strongest = 0;
    std::string why{};
  };
  const index::View* view_;
  std::map<index::FileNumber, Entry> files_;
};

/// The files that a path of a text may mean: itself, else those with this suffix ("plan.cc" of
/// "src/engine/plan.cc"), at most `limit`, the shortest first.
[[nodiscard]] std::vector<index::FileNumber> files_meant(const index::View& view,
                                                         std::string_view path, std::size_t limit);

/// Sorts by score, then by path and place; divides relevance by the best.
void finish(std::vector<Candidate>& candidates, std::size_t limit = kMostProposals);

}  // namespace clever::context::internal
