#include "context/strategies/internal/tally.h"

#include <algorithm>
#include <tuple>

namespace clever::context::internal {

void Tally::add(index::FileNumber file, double score, std::string_view why) {
  if (!(score > 0)) return;
  Entry& entry = files_[file];
  entry.score += score;
  if (score > entry.strongest) {
    entry.strongest = score;
    entry.why = why;
  }
}

double Tally::score(index::FileNumber file) const {
  const auto found = files_.find(file);
  return found == files_.end() ? 0 : found->second.score;
}

std::vector<index::Hit> Tally::best(std::size_t limit) const {
  std::vector<index::Hit> hits;
  hits.reserve(files_.size());
  for (const auto& [file, entry] : files_) hits.push_back({.file = file, .score = entry.score});
  // Numbers follow the order of paths.
  std::ranges::sort(hits, {},
                    [](const index::Hit& hit) { return std::pair(-hit.score, hit.file); });
  hits.resize(std::min(hits.size(), limit));
  return hits;
}

std::vector<Candidate> Tally::candidates(std::size_t limit) const {
  std::vector<Candidate> found;
  const auto hits = best(limit);
  for (const auto& hit : hits) {
    found.push_back({.path = view_->path(hit.file),
                     .relevance = hit.score / hits.front().score,
                     .why = files_.at(hit.file).why});
  }
  return found;
}

std::vector<index::FileNumber> files_meant(const index::View& view, std::string_view path,
                                           std::size_t limit) {
  while (path.starts_with("./")) path.remove_prefix(2);
  while (path.starts_with('/')) path.remove_prefix(1);
  // Strips prefixes that the project does not have: "a/src/plan.cc" of a diff,
  // "/builds/one/src/plan.cc" of a trace.
  for (std::string_view rest = path; !rest.empty();) {
    if (const auto file = view.find(rest)) return {*file};
    const std::size_t slash = rest.find('/');
    rest = slash == std::string_view::npos ? std::string_view{} : rest.substr(slash + 1);
  }
  std::vector<index::FileNumber> found;
  const std::string ending = "/" + std::string(path);
  for (index::FileNumber file = 0; file < view.size(); ++file) {
    if (view.path(file).ends_with(ending)) found.push_back(file);
  }
  std::ranges::sort(
      found, {}, [&](index::FileNumber file) { return std::pair(view.path(file).size(), file); });
  found.resize(std::min(found.size(), limit));
  return found;
}

void finish(std::vector<Candidate>& candidates, std::size_t limit) {
  std::ranges::sort(candidates, [](const Candidate& a, const Candidate& b) {
    return std::tuple(-a.relevance, std::string_view(a.path), a.range.begin, a.range.end) <
           std::tuple(-b.relevance, std::string_view(b.path), b.range.begin, b.range.end);
  });
  candidates.resize(std::min(candidates.size(), limit));
  if (candidates.empty() || !(candidates.front().relevance > 0)) return;
  const double best = candidates.front().relevance;
  for (auto& candidate : candidates)
    candidate.relevance = std::max(0.0, candidate.relevance / best);
}

}  // namespace clever::context::internal
