#include "engine/actor/code_context.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/nearest.h"
#include "context/parts/parts.h"
#include "context/strategies/strategies.h"
#include "context/token_counter.h"
#include "index/local_embedder.h"

namespace clever::engine {
namespace {

using context::PipelineParts;
using context::Strategy;

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

base::Error unknown_choice(const std::string& setting, const std::string& name,
                           const std::vector<std::string>& known) {
  const auto nearest = base::nearest_match(name, known);
  return base::invalid_argument(
      setting + ": there is no '" + name + "'; " +
      (nearest ? "did you mean " + *nearest + "?" : "there are " + joined(known)));
}

/// Chooses one of several implementations of a part by name.
class Choice {
 public:
  Choice(const ContextOptions& options, std::string part) : part_(std::move(part)) {
    const auto chosen = options.parts.find(part_);
    if (chosen != options.parts.end()) name_ = chosen->second;
  }

  /// The first entry is the default.
  template <class Part>
  base::Result<Part> of(std::vector<std::pair<std::string, Part>> known) const {
    if (name_.empty()) return known.front().second;
    std::vector<std::string> names;
    for (auto& [name, part] : known) {
      if (name == name_) return std::move(part);
      names.push_back(name);
    }
    return unknown_choice("context." + part_, name_, names);
  }

 private:
  const std::string part_;
  std::string name_;
};

base::Result<PipelineParts> parts_of(const ContextOptions& options) {
  using Selector = std::shared_ptr<const context::StrategySelector>;
  using Allocator = std::shared_ptr<const context::BudgetAllocator>;
  using Packer = std::shared_ptr<const context::Packer>;
  using Orderer = std::shared_ptr<const context::Orderer>;
  using Preamble = std::shared_ptr<const context::PreambleWriter>;
  using Skeleton = std::shared_ptr<const context::SkeletonMaker>;
  using syntax::Depth;

  PipelineParts parts = context::default_parts();
  CLEVER_ASSIGN(parts.selector, Choice(options, "selector")
                                    .of<Selector>({{"weighing", parts.selector},
                                                   {"keyword", context::keyword_selector()}}));
  CLEVER_ASSIGN(parts.allocator, Choice(options, "allocator")
                                     .of<Allocator>({{"proportional", parts.allocator},
                                                     {"equal", context::equal_allocator()}}));
  CLEVER_ASSIGN(const Depth depth, Choice(options, "depth")
                                       .of<Depth>({{"full", Depth::kFull},
                                                   {"signatures", Depth::kSignatures},
                                                   {"members", Depth::kMembers},
                                                   {"listing", Depth::kListing}}));
  if (depth != Depth::kFull) parts.depths = context::outline_resolver(depth);
  parts.scorer = context::weighted_scorer({.relevance = options.relevance,
                                           .hierarchy = options.hierarchy,
                                           .quality = options.quality,
                                           .recency = options.recency});
  CLEVER_ASSIGN(parts.packer, Choice(options, "packer")
                                  .of<Packer>({{"knapsack", parts.packer},
                                               {"greedy", context::greedy_packer()}}));
  CLEVER_ASSIGN(parts.orderer,
                Choice(options, "orderer")
                    .of<Orderer>({{"file", parts.orderer}, {"score", context::score_orderer()}}));
  CLEVER_ASSIGN(parts.preamble, Choice(options, "preamble")
                                    .of<Preamble>({{"provenance", parts.preamble},
                                                   {"none", context::no_preamble()}}));
  CLEVER_ASSIGN(parts.skeleton,
                Choice(options, "skeleton")
                    .of<Skeleton>({{"tree", parts.skeleton}, {"none", context::no_skeleton()}}));
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
      if (found == names.end()) return unknown_choice("context.strategies", name, names);
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
