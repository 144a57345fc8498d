#include "storage/sqlite/internal/checkpointer.h"

#include <utility>

#include "base/crash_point.h"

namespace clever::storage::sqlite {
namespace {

// Each round copies what came during the one before: they become shorter and shorter.
constexpr int kRounds = 4;
// So many pages are left to the writer: a fraction of a commit's time.
constexpr int kLittle = 64;

}  // namespace

Checkpointer::Checkpointer(std::filesystem::path file, int pages, base::Clock& clock)
    : file_(std::move(file)),
      pages_(pages),
      clock_(clock),
      thread_("sqlite-log", [this](const base::StopToken& stop) { copy(stop); }) {}

void Checkpointer::offer(int pages) {
  // It was begun anew.
  if (pages < log_) tried_ = 0;
  log_ = pages;
  if (log_ - tried_ < pages_) return;
  state_.update([](State& state) {
    if (state.phase == Phase::kResting) state.phase = Phase::kCopying;
  });
}

void Checkpointer::take_rest(Connection& writer) {
  const Phase phase = state_.read([](const State& state) { return state.phase; });
  const bool too_long = log_ - tried_ >= kTooLong * pages_;
  if (phase != Phase::kWritersTurn && !too_long) return;
  base::crash_point("storage.checkpoint");
  // Where a reader looks at an older state, or another process copies, the log stays as long as it
  // is: it is not tried again with every commit.
  static_cast<void>(writer.checkpoint().ok());
  tried_ = log_;
  if (phase == Phase::kWritersTurn) {
    state_.update([](State& state) { state.phase = Phase::kResting; });
  }
  base::crash_point("storage.checkpointed");
}

void Checkpointer::copy(const base::StopToken& stop) {
  const auto wanted = [](const State& state) { return state.phase == Phase::kCopying; };
  while (state_.wait(stop, base::Deadline::never(), wanted).ok()) {
    copy_most(stop);
    state_.update([](State& state) { state.phase = Phase::kWritersTurn; });
  }
}

void Checkpointer::copy_most(const base::StopToken& stop) const {
  const auto connection = Connection::open({.file = file_, .stop = stop}, clock_);
  int before = 0;
  for (int round = 0; connection.ok() && round < kRounds && !stop.stop_requested(); ++round) {
    const auto log = (*connection)->checkpoint();
    if (!log.ok() || log->taken - before < kLittle) return;
    before = log->taken;
  }
}

}  // namespace clever::storage::sqlite
