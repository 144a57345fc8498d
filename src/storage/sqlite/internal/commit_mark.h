#pragma once
#include <cstdint>

#include "base/atomic.h"
#include "io/shared_counter.h"

namespace clever::storage::sqlite {

/// How processes on one file tell each other that something worth looking at was committed: a
/// number in the lock file, odd while a commit is under way. One that stays odd is of a process
/// that died there: its commit may have happened.
///
/// begin() and end() are for the thread that has the process's turn; the rest is thread-safe.
class CommitMark {
 public:
  explicit CommitMark(io::SharedCounter counter) : counter_(std::move(counter)) {}

  void begin() {
    const std::uint64_t odd = counter_.load() | 1U;
    own_.fetch_add(2);
    counter_.store(odd);
  }
  void end() { counter_.store(counter_.load() + 1); }

  [[nodiscard]] bool under_way() const { return (counter_.load() & 1U) != 0; }
  /// Another number than before: somebody else has committed. At times it changes without.
  [[nodiscard]] std::uint64_t of_others() const { return counter_.load() - own_.load(); }

 private:
  io::SharedCounter counter_;
  base::Atomic<std::uint64_t> own_;  // what this process added; publishes nothing else
};

}  // namespace clever::storage::sqlite
