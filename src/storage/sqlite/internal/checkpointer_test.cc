#include "storage/sqlite/internal/checkpointer.h"

#include <gtest/gtest.h>

#include "base/monitor.h"

namespace clever::storage::sqlite {
namespace {

// A writer that is faster than the copy must not make the log grow without end.
TEST(CheckpointerTest, ALogThatIsTooLongIsTakenThoughTheCopyDoesNotEnd) {
  constexpr int kPages = 2;
  base::Monitor<bool> never;
  Checkpointer checkpointer(kPages, [&](const base::StopToken& stop) {
    const auto is_set = [](bool set) { return set; };
    static_cast<void>(never.wait(stop, base::Deadline::never(), is_set).ok());
  });
  int taken = 0;
  const auto commit_up_to = [&](int pages) {
    for (int page = 1; page <= pages; ++page) {
      checkpointer.offer(page);
      checkpointer.take_rest([&] { ++taken; });
    }
  };
  commit_up_to(Checkpointer::kTooLong * kPages - 1);
  EXPECT_EQ(taken, 0);
  checkpointer.offer(Checkpointer::kTooLong * kPages);
  checkpointer.take_rest([&] { ++taken; });
  EXPECT_EQ(taken, 1);
  // It was begun anew.
  commit_up_to(Checkpointer::kTooLong * kPages);
  EXPECT_EQ(taken, 2);
}

TEST(CheckpointerTest, AShortLogIsLeftAlone) {
  Checkpointer checkpointer(2, [](const base::StopToken&) { FAIL(); });
  checkpointer.offer(1);
  checkpointer.take_rest([] { FAIL(); });
}

}  // namespace
}  // namespace clever::storage::sqlite
