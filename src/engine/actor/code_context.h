#pragma once
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/random.h"
#include "base/result.h"
#include "base/thread_pool.h"
#include "context/parallel_strategy_executor.h"
#include "context/pipeline.h"
#include "engine/actor/code_views.h"
#include "engine/actor/indexed_context.h"
#include "index/embedder.h"
#include "model/phase.h"

namespace clever::engine {

/// How to assemble context. A value; the defaults are those of the settings.
struct ContextOptions {
  /// If false, a model sees the list of files and those that the task names.
  bool searches = true;
  IndexedContext::Options turns{};
  context::ExecutorOptions executor{};
  /// Names; empty: all. An unknown name is an error.
  std::vector<std::string> strategies{};
  /// Used in addition to those.
  std::vector<std::shared_ptr<context::Strategy>> more{};
  /// Maps "selector", "allocator", "depth", "packer", "orderer", "preamble" or "skeleton" to the
  /// name of an implementation; without an entry the default applies.
  std::map<std::string, std::string> parts{};
  double relevance = 0.4;
  double hierarchy = 0.3;
  double quality = 0.2;
  double recency = 0.1;
  ViewRules usual{};
  std::map<model::Phase, ViewRules> rules{};
  unsigned threads = 2;
  /// "local", "off", or "provider/model".
  std::string embedder = "local";
};

/// What embeds texts by a provider's model; `not_found` if there is no such model.
using EmbedderSource =
    std::function<base::Result<std::unique_ptr<index::Embedder>>(const std::string& model)>;

/// The threads that all projects of a process share for searching. Thread-safe.
struct SearchThreads {
  /// Waiting trees hold their stores open.
  base::ThreadPool indexing{{.name = "index", .threads = 1, .queue_limit = 256}};
  std::shared_ptr<context::StrategyLanes> lanes = context::make_strategy_lanes();
};

/// The parts of context as configured: indexes, histories, strategies, pipeline. Owned by a command
/// or the engine's runtime.
///
/// Thread-safe. Opening reads no file; an index is opened when it is first needed.
class CodeContext {
 public:
  using Strategies = std::vector<std::shared_ptr<context::Strategy>>;
  struct Parts {
    base::Clock& clock;
    /// Where state lives.
    std::filesystem::path home{};
    /// For embedders that are not local; may be empty.
    EmbedderSource embedders{};
    /// Null: it creates its own.
    std::shared_ptr<SearchThreads> threads{};
  };
  /// `invalid_argument` names the setting and the accepted values.
  [[nodiscard]] static base::Result<std::unique_ptr<CodeContext>> open(
      const ContextOptions& options, const Parts& parts);
  [[nodiscard]] CodeViews& views() { return views_; }
  [[nodiscard]] const context::Assembler& assembler() const { return assembler_; }
  /// The active strategies, in the order of the settings.
  [[nodiscard]] const Strategies& strategies() const { return strategies_; }
  /// Null: no vectors.
  [[nodiscard]] index::Embedder* embedder() const { return embedder_.get(); }
  /// For turns; `otherwise` answers where there is no index, and outlives it.
  [[nodiscard]] std::unique_ptr<IndexedContext> source(ContextSource& otherwise);

 private:
  CodeContext(const ContextOptions& options, const Parts& parts,
              std::unique_ptr<index::Embedder> embedder, Strategies strategies,
              context::PipelineParts pipeline);

  // Constant after construction. Later members use earlier ones.
  base::Clock& clock_;
  base::SystemRandom random_;
  const std::shared_ptr<SearchThreads> threads_;
  const IndexedContext::Options turns_;
  const std::unique_ptr<index::Embedder> embedder_;
  const Strategies strategies_;
  const std::unique_ptr<context::ParallelStrategyExecutor> executor_;
  const context::Assembler assembler_;
  CodeViews views_;
};

}  // namespace clever::engine
