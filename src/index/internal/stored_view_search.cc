#include <algorithm>
#include <string>
#include <utility>

#include "index/internal/ranking.h"
#include "index/internal/stored_view.h"
#include "index/internal/word_scan.h"

namespace clever::index::internal {
namespace {

// A query's words, and its phrases.
struct GrepQuery {
  std::vector<std::string> words{};
  std::vector<std::string> phrases{};
};

GrepQuery parse_grep(std::string_view query) {
  GrepQuery parsed;
  while (!query.empty()) {
    const std::size_t quote = query.find('"');
    for (std::string& word : query_words(query.substr(0, quote)))
      parsed.words.push_back(std::move(word));
    if (quote == std::string_view::npos) break;
    query.remove_prefix(quote + 1);
    const std::size_t end = std::min(query.find('"'), query.size());
    const std::string_view phrase = query.substr(0, end);
    for (std::string& word : query_words(phrase)) parsed.words.push_back(std::move(word));
    if (!phrase.empty()) parsed.phrases.emplace_back(phrase);
    query.remove_prefix(std::min(end + 1, query.size()));
  }
  std::ranges::sort(parsed.words);
  const auto same = std::ranges::unique(parsed.words);
  parsed.words.erase(same.begin(), same.end());
  return parsed;
}

// Normalises a phrase: lower case, single spaces, trimmed.
std::string in_one_line(std::string_view text) {
  std::string line(" ");
  for_each_identifier(text, [&](std::string_view identifier) {
    for (std::size_t at = 0; at < identifier.size();) {
      const base::CodePoint point = base::decode_utf8(identifier, at);
      base::append_utf8(line, to_lower(point.value));
      at += point.size;
    }
    line += ' ';
  });
  return line;
}

}  // namespace

std::vector<Hit> StoredView::search(std::string_view query, std::size_t limit,
                                    const base::StopToken& stop) const {
  const Weights weights;
  Ranking ranking(*this, weights);
  for (const std::string& word : query_words(query)) {
    if (stop.stop_requested()) break;
    ranking.add(word, 1);
    ranking.add_any(other_forms(word), weights.forms);
  }
  return ranking.best(limit);
}

std::vector<Hit> StoredView::search_plainly(std::string_view query, std::size_t limit) const {
  Ranking ranking(*this,
                  {.content = 1, .definition = 0, .path = 1, .path_length = 0.75, .forms = 0});
  for (const std::string& word : query_words(query)) ranking.add(word, 1);
  return ranking.best(limit);
}

std::vector<Hit> StoredView::grep(std::string_view query, std::size_t limit,
                                  const base::StopToken& stop) const {
  const GrepQuery parsed = parse_grep(query);
  if (parsed.words.empty()) return {};
  std::vector<std::uint32_t> held(size());
  Ranking ranking(*this, {});
  for (const std::string& word : parsed.words) {
    if (stop.stop_requested()) return {};
    for_each_file_with(Field::kContent, word,
                       [&](FileNumber file, std::uint32_t) { ++held[file]; });
    ranking.add(word, 1);
  }
  std::vector<Hit> hits;
  for (FileNumber file = 0; file < size(); ++file) {
    if (held[file] == parsed.words.size()) hits.push_back({file, ranking.score(file)});
  }
  keep_best(hits, parsed.phrases.empty() ? limit : hits.size());
  if (parsed.phrases.empty()) return hits;

  std::vector<std::string> phrases;
  for (const std::string& phrase : parsed.phrases) phrases.push_back(in_one_line(phrase));
  std::vector<Hit> kept;
  for (const Hit& hit : hits) {
    if (kept.size() == limit || stop.stop_requested()) break;
    const auto text = content(hit.file);
    if (!text.ok()) continue;
    const std::string line = in_one_line(*text);
    const bool all = std::ranges::all_of(
        phrases, [&](const std::string& phrase) { return line.contains(phrase); });
    if (all) kept.push_back(hit);
  }
  return kept;
}

}  // namespace clever::index::internal
