#pragma once
#include <memory>
#include <string_view>
#include <vector>

#include "context/strategy.h"
#include "index/embedder.h"

// The built-in strategies. They are stateless: one object serves all plans.
namespace clever::context {

inline constexpr std::string_view kSimpleKeyword = "simple-keyword";
inline constexpr std::string_view kSemanticEmbedding = "semantic-embedding";
inline constexpr std::string_view kBreadthDepthNavigator = "breadth-depth-navigator";
inline constexpr std::string_view kArce = "arce";
inline constexpr std::string_view kTemporalArchaeology = "temporal-archaeology";
inline constexpr std::string_view kPlanDecisionContext = "plan-decision-context";

/// Text: the words of the task in contents, definitions and paths.
[[nodiscard]] std::shared_ptr<Strategy> simple_keyword();
/// Vectors: pieces of files with similar meaning. `embedder` must outlive it; null: it does not
/// apply.
[[nodiscard]] std::shared_ptr<Strategy> semantic_embedding(index::Embedder* embedder);
/// The graph: what defines the names in the task, the focus, and their neighbours.
[[nodiscard]] std::shared_ptr<Strategy> breadth_depth_navigator();
/// All three: text and vectors 40 % each, the graph 20 %.
[[nodiscard]] std::shared_ptr<Strategy> arce(index::Embedder* embedder);
/// History: files that commits with such words changed, and files that changed with them.
[[nodiscard]] std::shared_ptr<Strategy> temporal_archaeology();
/// Earlier decisions about the same subject, and the files their work changed.
[[nodiscard]] std::shared_ptr<Strategy> plan_decision_context();

[[nodiscard]] std::vector<std::shared_ptr<Strategy>> default_strategies(index::Embedder* embedder);

}  // namespace clever::context
