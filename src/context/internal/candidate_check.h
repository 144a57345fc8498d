#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "context/fragment.h"

namespace clever::context::internal {

struct CandidateLimits {
  std::size_t most_candidates = 0;
  /// Bytes of all paths, texts and reasons together.
  std::size_t most_text = 0;
};

struct CheckedCandidates {
  std::vector<Candidate> candidates{};
  /// What was left out, for a person; empty: nothing.
  std::string remark{};
};

/// What may be used of what a strategy says, in its order: at most so many, with paths that can be
/// in a project, ranges that begin before they end, relevances from 0 to 1 (one that is no number
/// is 0), depths that exist, and texts in UTF-8. Trusts nothing.
[[nodiscard]] CheckedCandidates check_candidates(std::vector<Candidate> proposed,
                                                 const CandidateLimits& limits);

}  // namespace clever::context::internal
