#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "context/history.h"
#include "context/internal/commit_table.h"

namespace clever::context::internal {

/// Lists of numbers, one behind the other.
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

/// Commits ready to be asked: by their words, by their files. Immutable.
///
/// A commit's likeness to a query is BM25 over the stems of its message. A file's score is the
/// sixth norm over the commits that changed it, so that one commit that is much alike counts for
/// more than many that are a little; old commits and those of many files count for less.
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
  // Commits are numbered here by their age among those that changed something: 0 is the newest.
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
  // How many commits are newer, those that changed nothing too.
  std::vector<std::uint32_t> ages_;
  // Of each commit its files, of each file its commits, of each word the commits and how often.
  Lists<std::uint32_t> changed_;
  Lists<std::uint32_t> changed_by_;
  Lists<WordCount> postings_;
  // Of each commit its words, counted, as BM25 sees it.
  std::vector<float> length_norms_;
};

}  // namespace clever::context::internal
