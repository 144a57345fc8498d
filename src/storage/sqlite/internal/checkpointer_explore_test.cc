#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "base/guarded.h"
#include "base/monitor.h"
#include "explore/explore.h"
#include "storage/sqlite/internal/checkpointer.h"
#include "support/every_schedule.h"

namespace clever::storage::sqlite {
namespace {

constexpr int kPagesToCopy = 2;

// A log as SQLite keeps it: one connection at a time takes it, and when all of it was taken the
// next commit begins it anew.
class Log {
 public:
  /// How long it is then.
  int commit() {
    return log_.with([](Pages& log) {
      if (log.taken == log.pages) log.pages = log.taken = 0;
      return ++log.pages;
    });
  }
  /// False: another connection is at it.
  bool take() {
    int pages = 0;
    const bool mine = log_.with([&](Pages& log) {
      pages = log.pages;
      return !std::exchange(log.busy, true);
    });
    if (!mine) return false;
    log_.with([&](Pages& log) {
      log.taken = std::max(log.taken, pages);
      log.busy = false;
    });
    return true;
  }

 private:
  struct Pages {
    int pages = 0;
    int taken = 0;
    bool busy = false;
  };
  base::Guarded<Pages> log_;
};

// Takes a long log whether or not it is being copied.
class NaiveCheckpointer {
 public:
  NaiveCheckpointer(int pages, Checkpointer::Copy copy)
      : pages_(pages), copy_(std::move(copy)), thread_("log", [this](const base::StopToken& stop) {
          const auto wanted = [](bool is_long) { return is_long; };
          while (long_.wait(stop, base::Deadline::never(), wanted).ok()) {
            copy_(stop);
            long_.update([](bool& is_long) { is_long = false; });
          }
        }) {}

  void offer(int pages) {
    log_ = pages;
    if (log_ >= pages_) long_.update([](bool& is_long) { is_long = true; });
  }
  void take_rest(const std::function<void()>& take) {
    if (log_ >= pages_) take();
  }

 private:
  const int pages_;
  const Checkpointer::Copy copy_;
  int log_ = 0;
  base::Monitor<bool> long_;
  base::Thread thread_;
};

// A writer that commits, and takes the rest on request. It is closed while whatever was
// begun may still be under way.
template <class Kind>
void commit_again_and_again(explore::Run& run) {
  Log log;
  bool refused = false;
  run.thread("writer", [&] {
    Kind checkpointer(kPagesToCopy, [&](const base::StopToken&) { static_cast<void>(log.take()); });
    for (int i = 0; i < 5; ++i) {
      checkpointer.take_rest([&] { refused = !log.take() || refused; });
      checkpointer.offer(log.commit());
    }
  });
  run.join();
  run.require(!refused, "the writer was refused: the log was being copied");
}

TEST(CheckpointerExplore, TheWriterNeverMeetsTheCopier) {
  test::expect_no_failing_schedule(commit_again_and_again<Checkpointer>);
}

TEST(CheckpointerExplore, OneThatTakesEveryLongLogDoes) {
  EXPECT_FINDS(explore::Failure::kCheck,
               explore::explore(test::kEverySchedule, commit_again_and_again<NaiveCheckpointer>));
}

}  // namespace
}  // namespace clever::storage::sqlite
