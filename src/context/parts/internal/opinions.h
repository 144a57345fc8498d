#pragma once
#include <map>
#include <string>
#include <vector>

#include "context/pipeline.h"

namespace clever::context::internal {

/// The combined opinion of all strategies on a path, each value from 0 to 1, the best path having
/// 1.
struct Opinion {
  /// The sum of the relevance that each kind of evidence gives it.
  double relevance = 0;
  /// Its places in the strategies' proposals, weighted by their authority.
  double quality = 0;
  [[nodiscard]] double together() const { return relevance * 2 / 3 + quality / 3; }
};

/// Opinions are about paths, not pieces: one strategy names a file, another three places in it, and
/// both mean the file. Within one kind of evidence the opinions are averaged by authority; between
/// kinds they are added, so that four strategies that read the same words do not outvote the
/// history.
[[nodiscard]] std::map<std::string, Opinion> opinions_of(const std::vector<Proposal>& proposals);

/// The strength of a piece among those of its path: 1 for the whole file and the best piece.
[[nodiscard]] double share_of(const Merged& merged, double best_of_path);
/// The highest relevance that any strategy gives it.
[[nodiscard]] double strength_of(const Merged& merged);

}  // namespace clever::context::internal
