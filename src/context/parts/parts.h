#pragma once
#include <memory>

#include "context/pipeline.h"

// The parts of a pipeline, one file each. All are immutable.
namespace clever::context {

/// Every strategy that applies, by confidence × quality.
[[nodiscard]] std::shared_ptr<const StrategySelector> weighing_selector();
/// Keyword search alone, for small models and for comparison.
[[nodiscard]] std::shared_ptr<const StrategySelector> keyword_selector();

/// By weight.
[[nodiscard]] std::shared_ptr<const BudgetAllocator> proportional_allocator();
[[nodiscard]] std::shared_ptr<const BudgetAllocator> equal_allocator();

/// Removes duplicate content; joins overlapping pieces of a file.
[[nodiscard]] std::shared_ptr<const Deduplicator> content_deduplicator();

/// As deep as requested, down to `deepest`.
[[nodiscard]] std::shared_ptr<const DepthResolver> outline_resolver(
    syntax::Depth deepest = syntax::Depth::kFull);

/// The weight of each part of a score; they add up to 1.
struct ScoreWeights {
  double relevance = 0.4;
  double hierarchy = 0.3;
  double quality = 0.2;
  double recency = 0.1;
};
[[nodiscard]] std::shared_ptr<const Scorer> weighted_scorer(const ScoreWeights& weights = {});

/// Maximises the total score: each thing at the depth that is worth its tokens.
[[nodiscard]] std::shared_ptr<const Packer> knapsack_packer();
/// Best first, each as deep as there is room.
[[nodiscard]] std::shared_ptr<const Packer> greedy_packer();

/// Files ordered by their best fragment, the fragments of a file in file order.
[[nodiscard]] std::shared_ptr<const Orderer> file_orderer();
/// Best first.
[[nodiscard]] std::shared_ptr<const Orderer> score_orderer();

/// One line per fragment: its origin, the strategy that found it, and why.
[[nodiscard]] std::shared_ptr<const PreambleWriter> provenance_preamble();
[[nodiscard]] std::shared_ptr<const PreambleWriter> no_preamble();

/// The folders, and the members of the most important files.
[[nodiscard]] std::shared_ptr<const SkeletonMaker> tree_skeleton();
[[nodiscard]] std::shared_ptr<const SkeletonMaker> no_skeleton();

}  // namespace clever::context
