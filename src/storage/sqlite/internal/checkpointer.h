#pragma once
#include <cstdint>
#include <filesystem>

#include "base/clock.h"
#include "base/monitor.h"
#include "base/stop_token.h"
#include "base/thread.h"
#include "storage/sqlite/internal/connection.h"

namespace clever::storage::sqlite {

/// Takes the log into the database beside the writer, over a connection of its own: copying and
/// syncing thousands of pages takes as long as a hundred commits, and no commit waits for it.
///
/// A log is begun anew only when all of it was taken. While somebody writes that never happens by
/// itself, so what came in the meantime, which is little, is the writer's to take:
///
///   resting ──(the log is long)──▶ copying ──(little is left)──▶ the writer's turn ──▶ resting
///
/// Owned by the engine. offer() and take_rest() are for the writer's thread. A copy that fails is
/// tried again when the log has grown by as much again; what is in the log is safe there.
class Checkpointer {
 public:
  /// A log of so many times `pages` is taken by the writer, whatever that costs: others may write
  /// faster than we can copy.
  static constexpr int kTooLong = 4;

  Checkpointer(std::filesystem::path file, int pages, base::Clock& clock);

  /// After a commit: how long the log is. It may be taken from now on.
  void offer(int pages);
  /// Between two transactions, in the turn among processes: takes what is left, if that is due.
  void take_rest(Connection& writer);

 private:
  enum class Phase : std::uint8_t { kResting, kCopying, kWritersTurn };
  struct State {
    Phase phase = Phase::kResting;
  };
  void copy(const base::StopToken& stop);
  void copy_most(const base::StopToken& stop) const;

  // Constant after construction.
  const std::filesystem::path file_;
  const int pages_;
  base::Clock& clock_;
  // Of the writer's thread: how long the log is, and was when it was last taken, or tried to be.
  int log_ = 0;
  int tried_ = 0;
  // Guarded.
  base::Monitor<State> state_;
  // Last: uses those above.
  base::Thread thread_;
};

}  // namespace clever::storage::sqlite
