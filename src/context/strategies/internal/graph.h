#pragma once
#include "base/stop_token.h"
#include "context/query.h"
#include "context/strategies/internal/tally.h"
#include "context/strategy.h"

namespace clever::context::internal {

/// Where a question begins in the graph: its focus, the files it names, the definitions of the
/// names in it (the rarer the name, the stronger).
struct Seeds {
  Tally files;
  /// The definitions themselves.
  std::vector<Candidate> definitions{};
};
[[nodiscard]] Seeds seeds_of(const Question& question, const Query& query,
                             const base::StopToken& stop);

/// Two steps outward from the strongest files of `from`: what they import, use, and are used by.
void spread(const index::View& view, const Tally& from, Tally& into, const base::StopToken& stop);

}  // namespace clever::context::internal
