#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>

#include "base/clock.h"
#include "base/monitor.h"
#include "base/stop_token.h"
#include "base/thread.h"

namespace clever::storage::sqlite {

/// Takes most of a file's log into its database, over a connection of its own.
void copy_log(const std::filesystem::path& file, base::Clock& clock, const base::StopToken& stop);

/// Takes the log into the database beside the writer: copying and syncing thousands of pages takes
/// as long as a hundred commits, and no commit waits for it.
///
/// A log is begun anew only when all of it was taken. While somebody writes that never happens by
/// itself, so what came in the meantime, which is little, is the writer's to take:
///
///   resting ──(the log is long)──▶ copying ──(little is left)──▶ the writer's turn ──▶ resting
///
/// Only one connection at a time can take a log: who comes second is refused and has done nothing.
/// So the writer leaves it alone while it is being copied.
///
/// Owned by the engine. offer() and take_rest() are for the writer's thread. A copy that fails is
/// tried again when the log has grown by as much again; what is in the log is safe there.
class Checkpointer {
 public:
  /// A log of so many times `pages` is taken by the writer, whatever that costs: others may write
  /// faster than we can copy.
  static constexpr int kTooLong = 4;

  /// `copy` (copy_log) runs on a thread of its own, once for each log of so many pages.
  using Copy = std::function<void(const base::StopToken&)>;
  Checkpointer(int pages, Copy copy);

  /// After a commit: how long the log is. It may be taken from now on.
  void offer(int pages);
  /// Between two transactions, in the turn among processes: calls `take`, which takes what is left,
  /// if that is due.
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
  // Of the writer's thread: how long the log is, and was when it was last taken, or tried to be.
  int log_ = 0;
  int tried_ = 0;
  // Guarded.
  base::Monitor<State> state_;
  // Last: uses those above.
  base::Thread thread_;
};

}  // namespace clever::storage::sqlite
