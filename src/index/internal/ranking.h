#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "index/code_index.h"
#include "index/internal/stored_view.h"

namespace clever::index::internal {

/// The weight of each field. BM25 over fields: the counts of a word are summed over fields, each
/// weighted and normalised by the field's length, before saturation.
struct Weights {
  double content = 1.0;
  double definition = 2.0;
  double path = 3.0;
  double content_length = 0.75;
  double definition_length = 0.5;
  double path_length = 0.5;
  double saturation = 1.2;
  /// For other forms of the query's words; 0: none.
  double forms = 0.35;
};

/// Adds up the scores of a query's words for each file of a view. Used by one thread.
class Ranking {
 public:
  Ranking(const StoredView& view, const Weights& weights);

  /// Adds one word, weighted.
  void add(std::string_view word, double weight);
  /// Adds words that stand for one.
  void add_any(const std::vector<std::string>& words, double weight);
  [[nodiscard]] double score(FileNumber file) const { return scores_[file]; }
  /// The best files with a score, equal ones by path.
  [[nodiscard]] std::vector<Hit> best(std::size_t limit) const;

 private:
  void count(std::string_view word);
  void count_field(Field field, std::string_view word, double weight, double by_length,
                   const StoredView::Lengths& lengths);
  void settle(double weight);
  void touch(FileNumber file, double amount);

  const StoredView& view_;
  const Weights weights_;
  std::vector<double> scores_;
  // For the word that is being added.
  std::vector<double> counts_;
  std::vector<FileNumber> touched_;
};

/// The distinct words of a query, in order; at most a limit.
[[nodiscard]] std::vector<std::string> query_words(std::string_view query);
/// Other words with its stem: "parse", "parses", … for "parsing".
[[nodiscard]] std::vector<std::string> other_forms(std::string_view word);
/// Keeps the best by score, equal ones by number.
void keep_best(std::vector<Hit>& hits, std::size_t limit);

}  // namespace clever::index::internal
