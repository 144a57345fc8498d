#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/guarded.h"
#include "io/shared_numbers.h"

namespace clever::storage::sqlite {

/// How processes on one file announce their commits: numbers in the lock file.
///
///   0    odd while a commit is under way. If it stays odd, a process died there: its commit may
///        have happened, with unknown topics
///   1    how many topics were named so far, by all processes
///   2 …  the keys of the latest kKept topics; the n-th at 2 + n % kKept
///
/// Keys are written before their number, so that a reader of the number finds them. A reader that
/// is so late that they may be overwritten must assume that everything changed.
///
/// begin() and end() are for the thread that has the process's turn, news() for one other thread;
/// under_way() is thread-safe.
class CommitMark {
 public:
  static constexpr std::size_t kKept = 16'384;
  /// The most topics of one commit; with more it names everything.
  static constexpr std::size_t kMost = 2'048;

  explicit CommitMark(io::SharedNumbers numbers);

  /// Returns whether any process has committed something that it announced.
  [[nodiscard]] static bool has_commits(const io::SharedNumbers& numbers);
  /// Resets the file.
  static void forget(io::SharedNumbers& numbers);

  void begin();
  /// Announces the committed topics, by topic_key(); none if the commit failed.
  void end(std::span<const std::uint64_t> topics);

  [[nodiscard]] bool under_way() const;

  struct News {
    bool everything = false;
    std::vector<std::uint64_t> topics{};
  };
  /// What others have committed since the last call; sometimes our own commits too.
  [[nodiscard]] News news();

 private:
  void name(std::span<const std::uint64_t> topics);
  void copy(std::uint64_t first, std::span<std::uint64_t> topics) const;

  // Constant after construction.
  io::SharedNumbers numbers_;
  // Owned by the thread that has the turn: a process died during its commit.
  bool somebody_died_ = false;
  // Guarded: how many topics need no announcement any more.
  base::Guarded<std::uint64_t> seen_;
};

}  // namespace clever::storage::sqlite
