#pragma once
#include <map>
#include <string>
#include <vector>

#include "context/pipeline.h"

namespace clever::context::internal {

/// What all strategies together say of a path, each from 0 to 1, the best path having 1.
struct Opinion {
  /// How strongly: the relevance that each kind of evidence gives it, added up.
  double relevance = 0;
  /// How high and how surely: its places among what the strategies propose, weighed by their
  /// authority.
  double quality = 0;
  [[nodiscard]] double together() const { return relevance * 2 / 3 + quality / 3; }
};

/// Opinions are formed on paths, not on pieces: one strategy names a file, another three places in
/// it, and both mean the file. Within one kind of evidence the strategies' opinions are averaged by
/// authority, between kinds they are added: four strategies that read the same words do not outvote
/// the history.
[[nodiscard]] std::map<std::string, Opinion> opinions_of(const std::vector<Proposal>& proposals);

/// How strong a piece is among those of its path: 1 for the whole file and the best piece.
[[nodiscard]] double share_of(const Merged& merged, double best_of_path);
/// The strongest relevance that any strategy gives it.
[[nodiscard]] double strength_of(const Merged& merged);

}  // namespace clever::context::internal
