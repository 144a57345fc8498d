#pragma once
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "context/fragment.h"
#include "context/parallel_strategy_executor.h"
#include "context/strategy.h"
#include "context/token_counter.h"

// The ten parts of an assembly, each behind an interface with one function; all are thread-safe and
// deterministic.
//
//   select and run   1 StrategySelector     which strategies, by confidence × quality
//                    2 BudgetAllocator      how many tokens each may propose
//                    3 ParallelStrategyExecutor
//   fuse             4 Deduplicator         the same content once, overlapping ranges joined
//                    5 DepthResolver        the deepest depth asked for; what each depth costs
//                    6 Scorer               relevance, hierarchy, quality, recency
//                    7 Packer               what fits: degraded before it is dropped
//   finish           8 Orderer
//                    9 PreambleWriter       where each fragment comes from
//                   10 SkeletonMaker        a short picture of the project for child plans
namespace clever::context {

/// Tokens: (window − response − tools − system) × (1 − skeleton).
struct Budget {
  std::size_t window = 0;
  std::size_t response = 0;
  std::size_t tools = 0;
  std::size_t system = 0;
  double skeleton_ratio = 0.15;
  [[nodiscard]] std::size_t room() const noexcept;
  [[nodiscard]] std::size_t fragments() const noexcept;
  [[nodiscard]] std::size_t skeleton() const noexcept;
};

struct Selected {
  std::shared_ptr<Strategy> strategy{};
  /// confidence × quality
  double weight = 0;
};

class StrategySelector {
 public:
  virtual ~StrategySelector() = default;
  /// Best first; keyword search if no other strategy applies.
  [[nodiscard]] virtual std::vector<Selected> select(
      const Question& question, const std::vector<std::shared_ptr<Strategy>>& strategies) const = 0;
};

class BudgetAllocator {
 public:
  virtual ~BudgetAllocator() = default;
  /// One number per strategy; they add up to at most `tokens`.
  [[nodiscard]] virtual std::vector<std::size_t> allocate(const std::vector<Selected>& selected,
                                                          std::size_t tokens) const = 0;
};

/// A candidate with its strategy.
struct Proposal {
  Candidate candidate{};
  std::string strategy{};
  double quality = 0;
  double weight = 0;
  Evidence evidence = Evidence::kOther;
  double authority = 0;
  /// Its rank among its strategy's proposals: 0, 1, 2, …
  std::size_t rank = 0;
};

/// All proposals of one thing.
struct Merged {
  Candidate candidate{};
  std::vector<Proposal> from{};
};

class Deduplicator {
 public:
  virtual ~Deduplicator() = default;
  /// Best first, by the strategies' opinions alone.
  [[nodiscard]] virtual std::vector<Merged> deduplicate(const Question& question,
                                                        std::vector<Proposal> proposals) const = 0;
};

/// A thing at each depth at which it can be shown, deepest first. `tokens` includes its heading and
/// the separator on the page.
struct Shown {
  syntax::Depth depth = syntax::Depth::kFull;
  std::string content{};
  std::size_t tokens = 0;
};
struct Resolved {
  Merged merged{};
  std::vector<Shown> depths{};
};

class DepthResolver {
 public:
  virtual ~DepthResolver() = default;
  /// Reads contents; no other part does. Skips unreadable files. `merged` comes best first; depths
  /// that no page of `budget` tokens has room for may be left out.
  [[nodiscard]] virtual std::vector<Resolved> resolve(const Question& question,
                                                      std::vector<Merged> merged,
                                                      const TokenCounter& tokens,
                                                      std::size_t budget,
                                                      const base::StopToken& stop) const = 0;
};

struct Scored {
  Resolved resolved{};
  double score = 0;
  ScoreParts parts{};
};

class Scorer {
 public:
  virtual ~Scorer() = default;
  /// Best first.
  [[nodiscard]] virtual std::vector<Scored> score(const Question& question,
                                                  std::vector<Resolved> resolved) const = 0;
};

class Packer {
 public:
  virtual ~Packer() = default;
  /// At most `tokens` in total; nothing below ten tokens; `left_out` counts things without room.
  [[nodiscard]] virtual std::vector<Fragment> pack(std::vector<Scored> scored, std::size_t tokens,
                                                   std::size_t& left_out) const = 0;
};

class Orderer {
 public:
  virtual ~Orderer() = default;
  [[nodiscard]] virtual std::vector<Fragment> order(std::vector<Fragment> fragments) const = 0;
};

class PreambleWriter {
 public:
  virtual ~PreambleWriter() = default;
  /// A few lines before the fragments, within the given tokens.
  [[nodiscard]] virtual std::string write(const Question& question,
                                          const std::vector<Fragment>& fragments,
                                          const TokenCounter& counter,
                                          std::size_t tokens) const = 0;
};

class SkeletonMaker {
 public:
  virtual ~SkeletonMaker() = default;
  /// At most `tokens`.
  [[nodiscard]] virtual std::string make(const Question& question,
                                         const std::vector<Fragment>& fragments,
                                         const TokenCounter& counter, std::size_t tokens) const = 0;
};

/// One of each part except the executor, which all share.
struct PipelineParts {
  std::shared_ptr<const StrategySelector> selector;
  std::shared_ptr<const BudgetAllocator> allocator;
  std::shared_ptr<const Deduplicator> deduplicator;
  std::shared_ptr<const DepthResolver> depths;
  std::shared_ptr<const Scorer> scorer;
  std::shared_ptr<const Packer> packer;
  std::shared_ptr<const Orderer> orderer;
  std::shared_ptr<const PreambleWriter> preamble;
  std::shared_ptr<const SkeletonMaker> skeleton;
};
[[nodiscard]] PipelineParts default_parts();
/// Parts by name, part -> choice ("packer" -> "knapsack"); missing ones get the default.
/// `invalid_argument` for an unknown part or name lists the known ones.
[[nodiscard]] base::Result<PipelineParts> parts_from(
    const std::map<std::string, std::string>& names);

struct Assembly {
  std::vector<Fragment> fragments{};
  std::string preamble{};
  std::string skeleton{};
  std::size_t tokens = 0;
  std::size_t budget = 0;
  /// The number of proposals without room.
  std::size_t left_out = 0;
  /// What each strategy did, to explain the result.
  std::vector<StrategyOutcome> outcomes{};
};

/// A fragment on the page: its heading, its content, an empty line.
[[nodiscard]] std::string rendered(const Fragment& fragment);
/// Everything shown to a model: the preamble and the fragments, with the assembly's tokens.
[[nodiscard]] std::string page_of(const Assembly& assembly);

/// The rest of a longer question is ignored.
inline constexpr std::size_t kLongestQuestion = std::size_t{64} << 10U;

/// The first two stages up to the score, without reading files. For callers that want to know where
/// to look rather than what is there.
[[nodiscard]] std::vector<Proposal> proposals_of(const std::vector<Selected>& selected,
                                                 const std::vector<StrategyOutcome>& outcomes);

/// Assembles the context of a question. Thread-safe; one for all plans. Never exceeds the budget;
/// an empty budget yields nothing.
class Assembler {
 public:
  Assembler(ParallelStrategyExecutor& executor, std::vector<std::shared_ptr<Strategy>> strategies,
            PipelineParts parts);

  [[nodiscard]] base::Result<Assembly> assemble(const Question& question, const Budget& budget,
                                                const TokenCounter& counter,
                                                const base::StopToken& stop = {}) const;
  /// Ranks what would be considered, best first, without reading or packing: `depths` are empty.
  [[nodiscard]] std::vector<Scored> rank(const Question& question,
                                         const base::StopToken& stop = {}) const;

 private:
  struct Gathered {
    std::vector<Merged> merged;
    std::vector<StrategyOutcome> outcomes;
  };
  [[nodiscard]] Gathered gather(const Question& question, std::size_t tokens,
                                const base::StopToken& stop) const;

  // Constant after construction.
  ParallelStrategyExecutor& executor_;
  const std::vector<std::shared_ptr<Strategy>> strategies_;
  const PipelineParts parts_;
};

}  // namespace clever::context
