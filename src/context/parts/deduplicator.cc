#include <algorithm>
#include <map>
#include <tuple>

#include "context/internal/text_of.h"
#include "context/parts/internal/opinions.h"
#include "context/parts/parts.h"

namespace clever::context {
namespace {

bool is_whole(const Candidate& candidate) { return candidate.range == syntax::Range{}; }

/// Sorts independently of the order in which strategies end.
void sort(std::vector<Proposal>& proposals) {
  std::ranges::sort(proposals, [](const Proposal& a, const Proposal& b) {
    const auto key = [](const Proposal& p) {
      return std::tuple(std::string_view(p.candidate.path), !is_whole(p.candidate),
                        p.candidate.range.begin, p.candidate.range.end,
                        std::string_view(p.strategy), p.rank);
    };
    return key(a) < key(b);
  });
}

void join(syntax::Range& to, const syntax::Range& other) {
  to.begin = std::min(to.begin, other.begin);
  to.end = std::max(to.end, other.end);
  to.first_line = std::min(to.first_line, other.first_line);
  to.last_line = std::max(to.last_line, other.last_line);
}

class ContentDeduplicator final : public Deduplicator {
 public:
  [[nodiscard]] std::vector<Merged> deduplicate(const Question& question,
                                                std::vector<Proposal> proposals) const override {
    const auto opinions = internal::opinions_of(proposals);
    sort(proposals);
    std::vector<Merged> merged;
    for (auto& proposal : proposals) add(std::move(proposal), merged);
    for (auto& one : merged) settle(one);
    best_first(opinions, merged);
    return once_each(question, std::move(merged));
  }

 private:
  static void add(Proposal proposal, std::vector<Merged>& merged) {
    if (!merged.empty() && belongs(merged.back().candidate, proposal.candidate)) {
      join(merged.back().candidate.range, proposal.candidate.range);
      merged.back().candidate.depth =
          std::max(merged.back().candidate.depth, proposal.candidate.depth);
      merged.back().from.push_back(std::move(proposal));
      return;
    }
    merged.push_back({.candidate = proposal.candidate});
    merged.back().from.push_back(std::move(proposal));
  }

  static bool belongs(const Candidate& to, const Candidate& other) {
    if (to.path != other.path || to.text != other.text) return false;
    if (is_whole(to) || is_whole(other)) return is_whole(to) && is_whole(other);
    return other.range.begin < to.range.end;
  }

  /// The candidate takes the name of the strategy that proposed it most strongly, which comes
  /// first.
  static void settle(Merged& merged) {
    std::ranges::sort(merged.from, {}, [](const Proposal& proposal) {
      return std::tuple(-proposal.candidate.relevance * proposal.weight,
                        std::string_view(proposal.strategy), proposal.rank);
    });
    merged.candidate.relevance = internal::strength_of(merged);
    merged.candidate.why = merged.from.front().candidate.why;
  }

  static void best_first(const std::map<std::string, internal::Opinion>& opinions,
                         std::vector<Merged>& merged) {
    std::map<std::string, double> strongest;
    for (const auto& one : merged) {
      double& best = strongest[one.candidate.path];
      best = std::max(best, internal::strength_of(one));
    }
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t i = 0; i < merged.size(); ++i) {
      const auto& path = merged[i].candidate.path;
      order.emplace_back(
          opinions.at(path).together() * internal::share_of(merged[i], strongest[path]), i);
    }
    std::ranges::sort(order, [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    std::vector<Merged> sorted;
    sorted.reserve(merged.size());
    for (const auto& [score, i] : order) sorted.push_back(std::move(merged[i]));
    merged = std::move(sorted);
  }

  /// Removes copies of a file, and texts that two strategies proposed: the better-placed one stays.
  static std::vector<Merged> once_each(const Question& question, std::vector<Merged> merged) {
    std::map<std::string, std::size_t> first;
    std::vector<Merged> kept;
    for (auto& one : merged) {
      const auto [at, added] = first.try_emplace(content_key(question, one.candidate), kept.size());
      if (added) {
        kept.push_back(std::move(one));
        continue;
      }
      Merged& same = kept[at->second];
      if (is_whole(one.candidate)) {
        same.candidate.why += internal::text_of("; the same as ", one.candidate.path);
      }
    }
    return kept;
  }

  static std::string content_key(const Question& question, const Candidate& candidate) {
    if (!candidate.text.empty()) return "text " + candidate.text;
    const auto file = question.view ? question.view->find(candidate.path) : std::nullopt;
    const std::string content =
        file ? question.view->blob(*file).to_hex() : "path " + candidate.path;
    return internal::text_of(content, " ", candidate.range.begin, "-", candidate.range.end);
  }
};

}  // namespace

std::shared_ptr<const Deduplicator> content_deduplicator() {
  return std::make_shared<ContentDeduplicator>();
}

}  // namespace clever::context
