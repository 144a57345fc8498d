#include <algorithm>
#include <map>
#include <tuple>

#include "context/parts/internal/nearness.h"
#include "context/parts/internal/opinions.h"
#include "context/parts/parts.h"

namespace clever::context {
namespace {

class WeightedScorer final : public Scorer {
 public:
  explicit WeightedScorer(const ScoreWeights& weights) : weights_(weights) {}

  [[nodiscard]] std::vector<Scored> score(const Question& question,
                                          std::vector<Resolved> resolved) const override {
    std::vector<Proposal> proposals;
    std::map<std::string, double> strongest;
    for (const auto& one : resolved) {
      proposals.insert(proposals.end(), one.merged.from.begin(), one.merged.from.end());
      double& best = strongest[one.merged.candidate.path];
      best = std::max(best, internal::strength_of(one.merged));
    }
    const auto opinions = internal::opinions_of(proposals);
    const internal::Nearness nearness(question, hits(opinions));
    std::vector<Scored> scored;
    for (auto& one : resolved) {
      const auto& path = one.merged.candidate.path;
      const auto& opinion = opinions.at(path);
      const double share = internal::share_of(one.merged, strongest[path]);
      const ScoreParts parts{.relevance = opinion.relevance * share,
                             .hierarchy = nearness.of(path) * share,
                             .quality = opinion.quality,
                             .recency = question.history ? question.history->recency(path) : 0};
      scored.push_back({.resolved = std::move(one), .score = total(parts), .parts = parts});
    }
    std::ranges::sort(scored, {}, [](const Scored& one) {
      const auto& candidate = one.resolved.merged.candidate;
      return std::tuple(-one.score, std::string_view(candidate.path), candidate.range.begin,
                        candidate.range.end, std::string_view(candidate.text));
    });
    return scored;
  }

 private:
  [[nodiscard]] double total(const ScoreParts& parts) const {
    return weights_.relevance * parts.relevance + weights_.hierarchy * parts.hierarchy +
           weights_.quality * parts.quality + weights_.recency * parts.recency;
  }

  static std::vector<std::pair<std::string, double>> hits(
      const std::map<std::string, internal::Opinion>& opinions) {
    std::vector<std::pair<std::string, double>> best;
    for (const auto& [path, opinion] : opinions) best.emplace_back(path, opinion.together());
    std::ranges::sort(best, {}, [](const auto& one) {
      return std::pair(-one.second, std::string_view(one.first));
    });
    return best;
  }

  const ScoreWeights weights_;
};

}  // namespace

std::shared_ptr<const Scorer> weighted_scorer(const ScoreWeights& weights) {
  return std::make_shared<WeightedScorer>(weights);
}

}  // namespace clever::context
