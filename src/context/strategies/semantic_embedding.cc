#include <algorithm>
#include <map>

#include "context/internal/findings.h"
#include "context/internal/text_of.h"
#include "context/strategies/internal/tally.h"
#include "context/strategies/strategies.h"

namespace clever::context {
namespace {

/// Pieces shown of one file; with more, the whole file is better.
constexpr int kMostPieces = 3;
/// A longer text blurs its topic.
constexpr std::size_t kEmbedded = 4000;

class SemanticEmbedding final : public Strategy {
 public:
  explicit SemanticEmbedding(index::Embedder* embedder) : embedder_(embedder) {}
  [[nodiscard]] std::string_view name() const override { return kSemanticEmbedding; }
  [[nodiscard]] double quality() const override { return 0.60; }
  [[nodiscard]] Evidence evidence() const override { return Evidence::kContents; }
  [[nodiscard]] double authority() const override { return 0.1; }
  [[nodiscard]] double confidence(const Question& question) const override {
    return embedder_ != nullptr && question.view != nullptr && !question.text.empty() ? 0.8 : 0;
  }

  [[nodiscard]] base::Result<std::vector<Candidate>> propose(const Question& question,
                                                             std::size_t /*budget*/,
                                                             const base::StopToken& stop,
                                                             base::Deadline deadline) override {
    if (embedder_ == nullptr || question.view == nullptr) return std::vector<Candidate>{};
    return internal::found_once(question, internal::text_of(name(), "/", embedder_->name()), stop,
                                deadline, [&] { return look(question, stop, deadline); });
  }

 private:
  [[nodiscard]] base::Result<std::vector<Candidate>> look(const Question& question,
                                                          const base::StopToken& stop,
                                                          base::Deadline deadline) const {
    const Query query = parse_query(question.text.substr(0, kEmbedded));
    CLEVER_ASSIGN(const auto vectors, embedder_->embed({query.text}, stop, deadline));
    if (vectors.empty()) return base::unavailable("the embedder gave no vector for the question");
    std::vector<Candidate> found;
    std::map<index::FileNumber, int> pieces;
    for (const auto& hit : question.view->nearest(vectors.front(), internal::kMostProposals)) {
      if (!(hit.score > 0) || ++pieces[hit.file] > kMostPieces) continue;
      found.push_back({.path = question.view->path(hit.file),
                       .range = hit.range,
                       .relevance = hit.score,
                       .why = "is about the same as the task"});
    }
    internal::finish(found);
    return found;
  }

  index::Embedder* const embedder_;
};

}  // namespace

std::shared_ptr<Strategy> semantic_embedding(index::Embedder* embedder) {
  return std::make_shared<SemanticEmbedding>(embedder);
}

}  // namespace clever::context
