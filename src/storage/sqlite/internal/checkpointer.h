#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>

#include "base/clock.h"
#include "base/monitor.h"
#include "base/stop_token.h"
#include "base/thread.h"

namespace clever::storage::sqlite {

/// Copies most of a file's log into its database, over its own connection.
void copy_log(const std::filesystem::path& file, base::Clock& clock, const base::StopToken& stop);

/// Checkpoints the log beside the writer: copying and syncing thousands of pages takes as long as a
/// hundred commits, and no commit waits for it.
///
/// SQLite restarts a log only when all of it was copied. With a busy writer that never happens by
/// itself, so the writer copies the little that arrived in the meantime:
///
///   resting ──(the log is long)──▶ copying ──(little is left)──▶ the writer's turn ──▶ resting
///
/// Only one connection at a time can checkpoint: a second one is refused without effect. So the
/// writer leaves the log alone while it is being copied.
///
/// Owned by the engine. offer() and take_rest() are for the writer's thread. A failed copy is tried
/// again when the log has grown by as much again; the log's content is safe.
class Checkpointer {
 public:
  /// The writer checkpoints a log of this many times `pages` at any cost, because others may write
  /// faster than the copy.
  static constexpr int kTooLong = 4;

  /// `copy` (copy_log) runs on its own thread, once for each log of `pages` pages.
  using Copy = std::function<void(const base::StopToken&)>;
  Checkpointer(int pages, Copy copy);

  /// Called after a commit with the length of the log. The copy may start from now on.
  void offer(int pages);
  /// Called between two transactions, in the turn among processes: calls `take`, which copies the
  /// rest, if that is due.
  void take_rest(const std::function<void()>& take);

 private:
  enum class Phase : std::uint8_t { kResting, kCopying, kWritersTurn };
  struct State {
    Phase phase = Phase::kResting;
  };
  void work(const base::StopToken& stop);

  // Constant after construction.
  const int pages_;
  const Copy copy_;
  // Owned by the writer's thread: the length of the log now, and at the last checkpoint or attempt.
  int log_ = 0;
  int tried_ = 0;
  // Guarded.
  base::Monitor<State> state_;
  // Declared last: uses the members above.
  base::Thread thread_;
};

}  // namespace clever::storage::sqlite
