#include "index/internal/ranking.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "index/words.h"

namespace clever::index::internal {
namespace {

// More words add nothing, and a text of a megabyte must not take minutes.
constexpr std::size_t kMostWords = 400;
constexpr std::size_t kLongestQuery = std::size_t{64} << 10U;

}  // namespace

std::vector<std::string> query_words(std::string_view query) {
  std::vector<std::string> words;
  std::unordered_set<std::string> seen;
  for (std::string& word : words_of(query.substr(0, kLongestQuery))) {
    if (words.size() == kMostWords) break;
    if (seen.insert(word).second) words.push_back(std::move(word));
  }
  return words;
}

std::vector<std::string> other_forms(std::string_view word) {
  const std::string stem(stem_of(word));
  std::vector<std::string> forms;
  const auto consider = [&](std::string form) {
    if (form != word && stem_of(form) == stem) forms.push_back(std::move(form));
  };
  for (const char* ending : {"", "e", "s", "es", "ed", "ing", "y", "ies", "ied"}) {
    consider(stem + ending);
  }
  for (const char* ending : {"ed", "ing"}) consider(stem + stem.back() + ending);
  return forms;
}

void keep_best(std::vector<Hit>& hits, std::size_t limit) {
  const auto better = [](const Hit& left, const Hit& right) {
    return left.score != right.score ? left.score > right.score : left.file < right.file;
  };
  const std::size_t kept = std::min(limit, hits.size());
  const auto middle = hits.begin() + static_cast<std::ptrdiff_t>(kept);
  std::ranges::partial_sort(hits, middle, better);
  hits.resize(kept);
}

Ranking::Ranking(const StoredView& view, const Weights& weights)
    : view_(view), weights_(weights), scores_(view.size()), counts_(view.size()) {}

void Ranking::touch(FileNumber file, double amount) {
  if (counts_[file] == 0) touched_.push_back(file);
  counts_[file] += amount;
}

void Ranking::count_field(Field field, std::string_view word, double weight, double by_length,
                          const StoredView::Lengths& lengths) {
  view_.for_each_file_with(field, word, [&](FileNumber file, std::uint32_t count) {
    const double length = static_cast<double>(lengths.of[file]) / lengths.average;
    touch(file, weight * count / (1 - by_length + by_length * length));
  });
}

void Ranking::count(std::string_view word) {
  count_field(Field::kContent, word, weights_.content, weights_.content_length,
              view_.content_lengths());
  if (weights_.definition > 0) {
    count_field(Field::kDefinition, word, weights_.definition, weights_.definition_length,
                view_.definition_lengths());
  }
  const auto* const paths = view_.table().with_word(word);
  if (paths == nullptr) return;
  const StoredView::Lengths& lengths = view_.path_lengths();
  for (const auto& [file, count] : *paths) {
    const double length = static_cast<double>(lengths.of[file]) / lengths.average;
    touch(file, weights_.path * count / (1 - weights_.path_length + weights_.path_length * length));
  }
}

void Ranking::settle(double weight) {
  const auto files = static_cast<double>(view_.size());
  const auto with = static_cast<double>(touched_.size());
  const double rarity = std::log(1 + (files - with + 0.5) / (with + 0.5));
  for (const FileNumber file : touched_) {
    const double count = counts_[file];
    scores_[file] +=
        weight * rarity * count * (weights_.saturation + 1) / (count + weights_.saturation);
    counts_[file] = 0;
  }
  touched_.clear();
}

void Ranking::add(std::string_view word, double weight) {
  count(word);
  settle(weight);
}

void Ranking::add_any(const std::vector<std::string>& words, double weight) {
  for (const std::string& word : words) count(word);
  settle(weight);
}

std::vector<Hit> Ranking::best(std::size_t limit) const {
  std::vector<Hit> hits;
  for (FileNumber file = 0; file < scores_.size(); ++file) {
    if (scores_[file] > 0) hits.push_back({file, scores_[file]});
  }
  keep_best(hits, limit);
  return hits;
}

}  // namespace clever::index::internal
