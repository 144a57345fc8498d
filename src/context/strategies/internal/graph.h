#pragma once
#include "base/stop_token.h"
#include "context/query.h"
#include "context/strategies/internal/tally.h"
#include "context/strategy.h"

namespace clever::context::internal {

/// The starting points of a question in the graph: its focus, the files it names, the definitions
/// of the names in it (a rarer name counts more).
struct Seeds {
  Tally files;
  /// The definitions themselves.
  std::vector<Candidate> definitions{};
};
[[nodiscard]] Seeds seeds_of(const Question& question, const Query& query,
                             const base::StopToken& stop);

/// Two steps outward from the strongest files of `from`: their imports, uses and users.
void spread(const index::View& view, const Tally& from, Tally& into, const base::StopToken& stop);

}  // namespace clever::context::internal
