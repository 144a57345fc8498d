#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "context/internal/text_of.h"
#include "context/strategies/internal/tally.h"
#include "context/strategies/strategies.h"
#include "index/words.h"

namespace clever::context {
namespace {

using Words = std::set<std::string>;

Words stems_of(std::string_view text) {
  Words stems;
  for (const auto& word : index::words_of(text)) {
    if (!says_nothing(word)) stems.emplace(index::stem_of(word));
  }
  return stems;
}

class PlanDecisionContext final : public Strategy {
 public:
  [[nodiscard]] std::string_view name() const override { return kPlanDecisionContext; }
  [[nodiscard]] double quality() const override { return 0.70; }
  [[nodiscard]] Evidence evidence() const override { return Evidence::kDecisions; }
  [[nodiscard]] double confidence(const Question& question) const override {
    return question.decisions.empty() || question.text.empty() ? 0 : 0.8;
  }

  [[nodiscard]] base::Result<std::vector<Candidate>> propose(const Question& question,
                                                             std::size_t /*budget*/,
                                                             const base::StopToken& stop,
                                                             base::Deadline /*deadline*/) override {
    const Words asked = stems_of(parse_query(question.text).text);
    std::vector<Words> decided;
    std::map<std::string, double> known_by;
    for (const auto& note : question.decisions) {
      if (stop.stop_requested()) break;
      decided.push_back(stems_of(note.question + " " + note.choice + " " + note.rationale));
      for (const auto& word : decided.back()) known_by[word] += 1;
    }
    std::vector<Candidate> found;
    std::map<std::string, Candidate> files;
    for (std::size_t i = 0; i < decided.size(); ++i) {
      const auto& note = question.decisions[i];
      const double score =
          likeness(asked, decided[i], known_by, decided.size()) + (note.own ? 0.2 : 0);
      if (!(score > 0)) continue;
      found.push_back(of(note, score));
      for (const auto& path : note.paths) add(question, note, path, score, files);
    }
    for (auto& [path, file] : files) found.push_back(std::move(file));
    internal::finish(found);
    return found;
  }

 private:
  /// The share of the question's words that a decision holds; rare words count more.
  static double likeness(const Words& asked, const Words& decided,
                         const std::map<std::string, double>& known_by, std::size_t all) {
    double shared = 0;
    double total = 0;
    for (const auto& word : asked) {
      const auto known = known_by.find(word);
      if (known == known_by.end()) continue;
      const double rarity = std::log(1 + static_cast<double>(all) / known->second);
      total += rarity;
      if (decided.contains(word)) shared += rarity;
    }
    return total > 0 ? shared / total : 0;
  }

  static Candidate of(const DecisionNote& note, double score) {
    return {.path = "decision/" + note.id,
            .relevance = score,
            .why = note.own ? "decided on the way here" : "decided by another plan",
            .text = internal::text_of(note.question, "\n-> ", note.choice, "\n", note.rationale)};
  }

  static void add(const Question& question, const DecisionNote& note, const std::string& path,
                  double score, std::map<std::string, Candidate>& files) {
    if (question.view == nullptr || !question.view->find(path)) return;
    auto& file = files[path];
    if (score * 0.8 <= file.relevance) return;
    file = {.path = path,
            .relevance = score * 0.8,
            .why = internal::text_of("changed for the decision \"", note.question, "\"")};
  }
};

}  // namespace

std::shared_ptr<Strategy> plan_decision_context() {
  return std::make_shared<PlanDecisionContext>();
}

std::vector<std::shared_ptr<Strategy>> default_strategies(index::Embedder* embedder) {
  return {simple_keyword(), semantic_embedding(embedder), breadth_depth_navigator(),
          arce(embedder),   temporal_archaeology(),       plan_decision_context()};
}

}  // namespace clever::context
