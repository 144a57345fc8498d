#include <algorithm>

#include "context/internal/findings.h"
#include "context/internal/text_of.h"
#include "context/strategies/internal/tally.h"
#include "context/strategies/strategies.h"

namespace clever::context {
namespace {

using internal::Tally;

class SimpleKeyword final : public Strategy {
 public:
  [[nodiscard]] std::string_view name() const override { return kSimpleKeyword; }
  [[nodiscard]] double quality() const override { return 0.30; }
  [[nodiscard]] Evidence evidence() const override { return Evidence::kContents; }
  [[nodiscard]] double authority() const override { return 1; }
  [[nodiscard]] double confidence(const Question& question) const override {
    return question.view != nullptr && !question.text.empty() ? 1 : 0;
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
  static std::vector<Candidate> look(const Question& question, const base::StopToken& stop) {
    const auto& view = *question.view;
    const Query query = parse_query(question.text);
    Tally tally(view);
    // Words of the title count twice: in the title, and in the whole text.
    const std::string words = search_text(query);
    const std::string title = search_title(query);
    const auto hits = view.search(words, internal::kMostProposals, stop);
    add(hits, tally);
    add(words == title ? hits : view.search(title, internal::kMostProposals, stop), tally);
    quotes(view, query, tally, stop);
    for (const auto& named : query.paths) {
      for (const auto file : internal::files_meant(view, named.path, 1)) {
        tally.add(file, 2, internal::text_of("the task names ", named.path));
      }
    }
    return tally.candidates();
  }

  static void add(const std::vector<index::Hit>& hits, Tally& tally) {
    const double best = hits.empty() ? 1 : std::max(hits.front().score, 1e-9);
    for (const auto& hit : hits) tally.add(hit.file, hit.score / best, "holds the task's words");
  }

  /// A quoted text that occurs in few files comes from there.
  static void quotes(const index::View& view, const Query& query, Tally& tally,
                     const base::StopToken& stop) {
    constexpr std::size_t kFew = 10;
    constexpr std::size_t kMostQuotes = 8;
    for (std::size_t i = 0; i < std::min(query.quoted.size(), kMostQuotes); ++i) {
      const auto hits = view.grep(internal::text_of("\"", query.quoted[i], "\""), kFew, stop);
      for (const auto& hit : hits) {
        tally.add(hit.file, 1.2 / static_cast<double>(hits.size()),
                  internal::text_of("holds \"", query.quoted[i], "\""));
      }
    }
  }
};

}  // namespace

std::shared_ptr<Strategy> simple_keyword() { return std::make_shared<SimpleKeyword>(); }

}  // namespace clever::context
