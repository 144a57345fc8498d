#include "storage/sqlite/internal/checkpointer.h"

#include <utility>

#include "base/crash_point.h"
#include "storage/sqlite/internal/connection.h"

namespace clever::storage::sqlite {
namespace {

// Each round copies what arrived during the one before, so the rounds get shorter.
constexpr int kRounds = 4;
// Leaves this many pages to the writer: a fraction of a commit's time.
constexpr int kLittle = 64;

}  // namespace

void copy_log(const std::filesystem::path& file, base::Clock& clock, const base::StopToken& stop) {
  const auto connection = Connection::open({.file = file, .stop = stop}, clock);
  int before = 0;
  for (int round = 0; connection.ok() && round < kRounds && !stop.stop_requested(); ++round) {
    const auto log = (*connection)->checkpoint();
    if (!log.ok() || log->taken - before < kLittle) return;
    before = log->taken;
  }
}

Checkpointer::Checkpointer(int pages, Copy copy)
    : pages_(pages),
      copy_(std::move(copy)),
      thread_("sqlite-log", [this](const base::StopToken& stop) { work(stop); }) {}

void Checkpointer::offer(int pages) {
  // The log was started anew.
  if (pages < log_) tried_ = 0;
  log_ = pages;
  if (log_ - tried_ < pages_) return;
  state_.update([](State& state) {
    if (state.phase == Phase::kResting) state.phase = Phase::kCopying;
  });
}

void Checkpointer::take_rest(const std::function<void()>& take) {
  const Phase phase = state_.read([](const State& state) { return state.phase; });
  const bool too_long = log_ - tried_ >= kTooLong * pages_;
  if (phase != Phase::kWritersTurn && !too_long) return;
  base::crash_point("storage.checkpoint");
  // While a reader looks at an older state, or another process copies, the log keeps its length;
  // not every commit tries again.
  take();
  tried_ = log_;
  if (phase == Phase::kWritersTurn) {
    state_.update([](State& state) { state.phase = Phase::kResting; });
  }
  base::crash_point("storage.checkpointed");
}

void Checkpointer::work(const base::StopToken& stop) {
  const auto wanted = [](const State& state) { return state.phase == Phase::kCopying; };
  while (state_.wait(stop, base::Deadline::never(), wanted).ok()) {
    copy_(stop);
    state_.update([](State& state) { state.phase = Phase::kWritersTurn; });
  }
}

}  // namespace clever::storage::sqlite
