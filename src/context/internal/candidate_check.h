#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "context/fragment.h"

namespace clever::context::internal {

struct CandidateLimits {
  std::size_t most_candidates = 0;
  /// The bytes of all paths, texts and reasons together.
  std::size_t most_text = 0;
};

struct CheckedCandidates {
  std::vector<Candidate> candidates{};
  /// What was left out, for a person; empty if nothing was.
  std::string remark{};
};

/// Returns the usable part of a strategy's proposals, in order: at most a limit, with paths that a
/// project can have, ranges that begin before they end, relevances from 0 to 1 (NaN becomes 0),
/// valid depths, and UTF-8 texts. Trusts nothing.
[[nodiscard]] CheckedCandidates check_candidates(std::vector<Candidate> proposed,
                                                 const CandidateLimits& limits);

}  // namespace clever::context::internal
