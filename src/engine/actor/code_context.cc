#include "engine/actor/code_context.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/nearest.h"
#include "base/text.h"
#include "context/parts/parts.h"
#include "context/strategies/strategies.h"
#include "context/token_counter.h"
#include "index/local_embedder.h"

namespace clever::engine {
namespace {

using context::PipelineParts;
using context::Strategy;

base::Error unknown_strategy(const std::string& name, const std::vector<std::string>& known) {
  const auto nearest = base::nearest_match(name, known);
  return base::invalid_argument(
      "context.strategies: there is no '" + name + "'; " +
      (nearest ? "did you mean " + *nearest + "?" : "there are " + base::joined(known)));
}

base::Result<PipelineParts> parts_of(const ContextOptions& options) {
  CLEVER_ASSIGN(PipelineParts parts, context::parts_from(options.parts));
  parts.scorer = context::weighted_scorer({.relevance = options.relevance,
                                           .hierarchy = options.hierarchy,
                                           .quality = options.quality,
                                           .recency = options.recency});
  return parts;
}

base::Result<std::vector<std::shared_ptr<Strategy>>> strategies_of(const ContextOptions& options,
                                                                   index::Embedder* embedder) {
  std::vector<std::shared_ptr<Strategy>> all = context::default_strategies(embedder);
  if (!options.strategies.empty()) {
    std::vector<std::string> names;
    for (const auto& strategy : all) names.emplace_back(strategy->name());
    std::vector<std::shared_ptr<Strategy>> wanted;
    for (const std::string& name : options.strategies) {
      const auto found = std::ranges::find(names, name);
      if (found == names.end()) return unknown_strategy(name, names);
      wanted.push_back(all[static_cast<std::size_t>(found - names.begin())]);
    }
    all = std::move(wanted);
  }
  all.insert(all.end(), options.more.begin(), options.more.end());
  return all;
}

base::Result<std::unique_ptr<index::Embedder>> embedder_of(const ContextOptions& options,
                                                           const EmbedderSource& embedders) {
  if (options.embedder == "off") return std::unique_ptr<index::Embedder>();
  if (options.embedder.empty() || options.embedder == "local") {
    return std::unique_ptr<index::Embedder>(std::make_unique<index::LocalEmbedder>());
  }
  if (!embedders) {
    return base::invalid_argument("context.embedder: '" + options.embedder +
                                  "' needs a provider: write provider/model, or local or off");
  }
  auto connected = embedders(options.embedder);
  // An unreachable provider only loses its own results.
  const bool passes =
      !connected.ok() && (connected.error().code() == base::ErrorCode::kUnavailable ||
                          connected.error().code() == base::ErrorCode::kDeadlineExceeded);
  if (passes) return std::unique_ptr<index::Embedder>();
  return std::move(connected).context("context.embedder");
}

CodeViews::Options view_options(const ContextOptions& options, const std::filesystem::path& home,
                                index::Embedder* embedder) {
  CodeViews::Options views;
  views.folder = home / "index";
  views.index.threads = options.threads;
  views.index.embedder = embedder;
  views.rules = options.rules;
  views.usual = options.usual;
  return views;
}

}  // namespace

base::Result<std::unique_ptr<CodeContext>> CodeContext::open(const ContextOptions& options,
                                                             const Parts& parts) {
  CLEVER_ASSIGN(auto embedder, embedder_of(options, parts.embedders));
  CLEVER_ASSIGN(auto strategies, strategies_of(options, embedder.get()));
  CLEVER_ASSIGN(PipelineParts pipeline, parts_of(options));
  return std::unique_ptr<CodeContext>(new CodeContext(options, parts, std::move(embedder),
                                                      std::move(strategies), std::move(pipeline)));
}

CodeContext::CodeContext(const ContextOptions& options, const Parts& parts,
                         std::unique_ptr<index::Embedder> embedder, Strategies strategies,
                         PipelineParts pipeline)
    : clock_(parts.clock),
      threads_(parts.threads != nullptr ? parts.threads : std::make_shared<SearchThreads>()),
      turns_(options.turns),
      embedder_(std::move(embedder)),
      strategies_(std::move(strategies)),
      executor_(context::ParallelStrategyExecutor::make(parts.clock, random_, options.executor,
                                                        threads_->lanes)),
      assembler_(*executor_, strategies_, std::move(pipeline)),
      views_(threads_->indexing, view_options(options, parts.home, embedder_.get()),
             CodeViews::sources()) {}

std::unique_ptr<IndexedContext> CodeContext::source(ContextSource& otherwise) {
  const auto assemble = [this](const context::Question& question, const context::Budget& budget,
                               const context::TokenCounter& counter, const base::StopToken& stop) {
    return assembler_.assemble(question, budget, counter, stop);
  };
  return std::make_unique<IndexedContext>(
      IndexedContext::Parts{.clock = clock_,
                            .views = views_,
                            .otherwise = otherwise,
                            .assemble = assemble,
                            .counter = context::token_counter_for},
      turns_);
}

}  // namespace clever::engine
