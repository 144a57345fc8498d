#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "context/history.h"
#include "context/internal/commit_table.h"

namespace clever::context::internal {

/// Lists of numbers, concatenated.
template <class T>
struct Lists {
  std::vector<std::uint32_t> begins{0};
  std::vector<T> values{};

  [[nodiscard]] std::size_t size() const { return begins.size() - 1; }
  [[nodiscard]] const T* begin(std::size_t list) const { return values.data() + begins[list]; }
  [[nodiscard]] const T* end(std::size_t list) const { return values.data() + begins[list + 1]; }
  [[nodiscard]] std::size_t length(std::size_t list) const {
    return begins[list + 1] - begins[list];
  }
};

/// Searchable commits: by words and by files. Immutable.
///
/// The similarity of a commit to a query is BM25 over the stems of its message. A file's score is
/// the sixth norm over the commits that changed it, so that one very similar commit counts for more
/// than many slightly similar ones. Old commits, and those of many files, count for less.
class CommitIndex final : public History {
 public:
  struct Limits {
    std::size_t most_commits = 0;
    std::size_t most_files = 0;
  };
  CommitIndex(CommitTable table, const git::ObjectId& head, const Limits& limits);

  [[nodiscard]] std::vector<PathScore> related(std::string_view query,
                                               std::size_t limit) const override;
  [[nodiscard]] std::vector<PathScore> together(const std::vector<std::string>& paths,
                                                std::size_t limit) const override;
  [[nodiscard]] double recency(std::string_view path) const override;
  [[nodiscard]] std::size_t commits() const override { return commits_; }

 private:
  // Commits are numbered by age among those that changed something: 0 is the newest.
  void number_commits(const git::ObjectId& head, const Limits& limits);
  void index_words();
  void index_paths();
  [[nodiscard]] const Commit& commit(std::uint32_t number) const {
    return table_.commits[order_[number]];
  }
  [[nodiscard]] std::vector<float> likeness(std::string_view query) const;
  [[nodiscard]] double weight(std::uint32_t number) const;
  class Tally;

  // Constant after construction.
  CommitTable table_;
  std::size_t commits_ = 0;
  std::vector<std::uint32_t> order_;
  // How many commits are newer, including those that changed nothing.
  std::vector<std::uint32_t> ages_;
  // For each commit its files, for each file its commits, for each word the commits and counts.
  Lists<std::uint32_t> changed_;
  Lists<std::uint32_t> changed_by_;
  Lists<WordCount> postings_;
  // For each commit its number of words, normalised for BM25.
  std::vector<float> length_norms_;
};

}  // namespace clever::context::internal
