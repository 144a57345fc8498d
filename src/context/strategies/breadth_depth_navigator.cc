#include <algorithm>

#include "context/internal/findings.h"
#include "context/strategies/internal/graph.h"
#include "context/strategies/strategies.h"

namespace clever::context {
namespace {

/// Breadth first: the files that the question names by focus, path or definition, and their
/// neighbours. Then depth: the definitions themselves, as pieces of their files.
class BreadthDepthNavigator final : public Strategy {
 public:
  [[nodiscard]] std::string_view name() const override { return kBreadthDepthNavigator; }
  [[nodiscard]] double quality() const override { return 0.85; }
  [[nodiscard]] Evidence evidence() const override { return Evidence::kContents; }
  [[nodiscard]] double authority() const override { return 0.1; }
  [[nodiscard]] double confidence(const Question& question) const override {
    if (question.view == nullptr) return 0;
    if (!question.focus.empty()) return 1;
    if (question.text.empty()) return 0;
    const Query query = parse_query(question.text);
    return query.identifiers.empty() && query.paths.empty() ? 0.5 : 0.9;
  }

  [[nodiscard]] base::Result<std::vector<Candidate>> propose(const Question& question,
                                                             std::size_t /*budget*/,
                                                             const base::StopToken& stop,
                                                             base::Deadline deadline) override {
    if (question.view == nullptr) return std::vector<Candidate>{};
    return internal::found_once(question, std::string(name()), stop, deadline,
                                [&] { return look(question, stop); });
  }

 private:
  static constexpr std::size_t kMostPieces = 40;

  static std::vector<Candidate> look(const Question& question, const base::StopToken& stop) {
    const Query query = parse_query(question.text);
    auto seeds = internal::seeds_of(question, query, stop);
    // Without a task, only the focus counts.
    if (query.words.empty()) return seeds.files.candidates();
    internal::Tally tally = seeds.files;
    internal::spread(*question.view, seeds.files, tally, stop);
    auto found = tally.candidates();
    internal::finish(seeds.definitions, kMostPieces);
    std::ranges::move(seeds.definitions, std::back_inserter(found));
    // A piece never precedes its own file.
    for (auto& candidate : found) {
      if (candidate.range != syntax::Range{}) candidate.relevance *= 0.9;
    }
    internal::finish(found);
    return found;
  }
};

}  // namespace

std::shared_ptr<Strategy> breadth_depth_navigator() {
  return std::make_shared<BreadthDepthNavigator>();
}

}  // namespace clever::context
