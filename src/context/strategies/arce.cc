#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "context/strategies/internal/tally.h"
#include "context/strategies/strategies.h"

namespace clever::context {
namespace {

/// Combines text, vectors and the graph: files by the weighted sum of the three, and the pieces
/// that vectors and graph found, beside their files.
class Arce final : public Strategy {
 public:
  explicit Arce(index::Embedder* embedder)
      : sources_{{{.strategy = simple_keyword(), .share = 0.4},
                  {.strategy = semantic_embedding(embedder), .share = 0.4},
                  {.strategy = breadth_depth_navigator(), .share = 0.2}}} {}

  [[nodiscard]] std::string_view name() const override { return kArce; }
  [[nodiscard]] double quality() const override { return 0.95; }
  [[nodiscard]] Evidence evidence() const override { return Evidence::kContents; }
  [[nodiscard]] double authority() const override { return 1; }
  [[nodiscard]] double confidence(const Question& question) const override {
    double sum = 0;
    for (const auto& source : sources_) sum += source.share * source.strategy->confidence(question);
    return sum;
  }

  [[nodiscard]] base::Result<std::vector<Candidate>> propose(const Question& question,
                                                             std::size_t budget,
                                                             const base::StopToken& stop,
                                                             base::Deadline deadline) override {
    std::map<std::string, Candidate> files;
    std::vector<Candidate> pieces;
    for (const auto& source : sources_) {
      if (!(source.strategy->confidence(question) > 0)) continue;
      auto proposed = source.strategy->propose(question, budget, stop, deadline);
      // Two of the three sources still give an answer.
      if (proposed.ok()) merge(std::move(proposed).value(), source.share, files, pieces);
    }
    return together(std::move(files), std::move(pieces));
  }

 private:
  struct Source {
    std::shared_ptr<Strategy> strategy;
    double share;
  };

  /// A file counts with its best piece, once per source.
  static void merge(std::vector<Candidate> proposed, double share,
                    std::map<std::string, Candidate>& files, std::vector<Candidate>& pieces) {
    std::map<std::string, double> best;
    for (auto& candidate : proposed) {
      double& value = best[candidate.path];
      value = std::max(value, candidate.relevance);
      auto& file = files[candidate.path];
      if (file.path.empty()) file = {.path = candidate.path, .why = candidate.why};
      if (candidate.range == syntax::Range{}) continue;
      candidate.relevance *= share;
      pieces.push_back(std::move(candidate));
    }
    for (const auto& [path, value] : best) files[path].relevance += share * value;
  }

  static std::vector<Candidate> together(std::map<std::string, Candidate> files,
                                         std::vector<Candidate> pieces) {
    std::vector<Candidate> found;
    for (auto& piece : pieces) piece.relevance = 0.9 * files[piece.path].relevance;
    for (auto& [path, file] : files) found.push_back(std::move(file));
    internal::finish(pieces, internal::kMostProposals / 4);
    internal::finish(found, internal::kMostProposals);
    for (auto& piece : pieces) piece.relevance *= 0.9;
    std::ranges::move(pieces, std::back_inserter(found));
    internal::finish(found, 2 * internal::kMostProposals);
    return found;
  }

  const std::array<Source, 3> sources_;
};

}  // namespace

std::shared_ptr<Strategy> arce(index::Embedder* embedder) {
  return std::make_shared<Arce>(embedder);
}

}  // namespace clever::context
