#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/guarded.h"
#include "io/shared_numbers.h"

namespace clever::storage::sqlite {

/// How processes on one file tell each other what was committed: numbers in the lock file.
///
///   0    odd while a commit is under way. One that stays odd is of a process that died there: its
///        commit may have happened, and nobody knows of what
///   1    how many topics were named so far, by all processes
///   2 …  the keys of the latest kKept of them; the n-th at 2 + n % kKept
///
/// Keys are written before their number is, so that whoever reads the number finds them; who is so
/// late that they may be overwritten hears that everything may have changed.
///
/// begin() and end() are for the thread that has the process's turn, news() for one other thread;
/// under_way() is thread-safe.
class CommitMark {
 public:
  static constexpr std::size_t kKept = 16'384;
  /// Of one commit; one with more names everything.
  static constexpr std::size_t kMost = 2'048;

  explicit CommitMark(io::SharedNumbers numbers);

  /// Whether any process has committed something that others are told of.
  [[nodiscard]] static bool has_commits(const io::SharedNumbers& numbers);
  /// The file is made anew.
  static void forget(io::SharedNumbers& numbers);

  void begin();
  /// What was committed, by topic_key(); nothing, if it failed.
  void end(std::span<const std::uint64_t> topics);

  [[nodiscard]] bool under_way() const;

  struct News {
    bool everything = false;
    std::vector<std::uint64_t> topics{};
  };
  /// What others have committed since the last call; at times what we have, too.
  [[nodiscard]] News news();

 private:
  void name(std::span<const std::uint64_t> topics);
  void copy(std::uint64_t first, std::span<std::uint64_t> topics) const;

  // Constant after construction.
  io::SharedNumbers numbers_;
  // Of the thread that has the turn: somebody died while his commit was under way.
  bool somebody_died_ = false;
  // Guarded: how many topics need no telling any more.
  base::Guarded<std::uint64_t> told_;
};

}  // namespace clever::storage::sqlite
