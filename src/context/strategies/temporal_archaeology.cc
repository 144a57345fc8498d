#include <algorithm>
#include <map>

#include "context/internal/text_of.h"
#include "context/strategies/internal/tally.h"
#include "context/strategies/strategies.h"

namespace clever::context {
namespace {

class TemporalArchaeology final : public Strategy {
 public:
  [[nodiscard]] std::string_view name() const override { return kTemporalArchaeology; }
  [[nodiscard]] double quality() const override { return 0.50; }
  [[nodiscard]] Evidence evidence() const override { return Evidence::kHistory; }
  [[nodiscard]] double confidence(const Question& question) const override {
    const bool known = question.history != nullptr && question.history->commits() > 0;
    return known && question.view != nullptr && !question.text.empty() ? 1 : 0;
  }

  [[nodiscard]] base::Result<std::vector<Candidate>> propose(const Question& question,
                                                             std::size_t /*budget*/,
                                                             const base::StopToken& stop,
                                                             base::Deadline /*deadline*/) override {
    if (question.history == nullptr || question.view == nullptr) return std::vector<Candidate>{};
    const Query query = parse_query(question.text);
    const auto related = question.history->related(query.text, internal::kMostProposals);
    internal::Tally tally(*question.view);
    add(related, 1, "such commits changed it", tally, *question.view);
    // Searches for the title too, because most messages are titles.
    add(question.history->related(query.title, internal::kMostProposals), 1,
        "such commits changed it", tally, *question.view);
    if (!stop.stop_requested() && !question.focus.empty()) {
      add(question.history->together(question.focus, kMostTogether), 0.5,
          "changed together with the focus", tally, *question.view);
    }
    auto found = tally.candidates();
    if (!found.empty()) found.push_back(commits(related));
    return found;
  }

 private:
  static constexpr std::size_t kMostTogether = 40;

  static void add(const std::vector<History::PathScore>& paths, double share, std::string_view why,
                  internal::Tally& tally, const index::View& view) {
    const double best = paths.empty() ? 1 : std::max(paths.front().score, 1e-9);
    for (const auto& path : paths) {
      const auto file = view.find(path.path);
      if (!file) continue;
      tally.add(*file, share * path.score / best,
                path.commit.empty() ? std::string(why)
                                    : internal::text_of(why, ": ", path.commit, " ", path.subject));
    }
  }

  /// The commits themselves show how similar changes were made before.
  static Candidate commits(const std::vector<History::PathScore>& related) {
    constexpr std::size_t kMostCommits = 6;
    Candidate found{.path = "history/related", .relevance = 0.5, .why = "commits with such words"};
    std::vector<std::string> seen;
    for (const auto& path : related) {
      if (seen.size() == kMostCommits) break;
      if (path.commit.empty() || std::ranges::find(seen, path.commit) != seen.end()) continue;
      seen.push_back(path.commit);
      found.text += internal::text_of(path.commit, " ", path.subject, "\n");
    }
    return found;
  }
};

}  // namespace

std::shared_ptr<Strategy> temporal_archaeology() { return std::make_shared<TemporalArchaeology>(); }

}  // namespace clever::context
