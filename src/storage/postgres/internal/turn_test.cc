#include "storage/postgres/internal/turn.h"

#include <gtest/gtest.h>

#include "explore/explore.h"

namespace clever::storage::postgres {
namespace {

void take_turns(explore::Run& run) {
  Turns turns;
  base::StopSource stop;
  explore::Racy<int> inside;
  const auto write = [&](const base::StopToken& token) {
    const auto turn = turns.take(token);
    if (!turn.ok()) return;
    run.require(inside.read() == 0, "one at a time");
    inside.write(1);
    inside.write(0);
  };
  run.thread("first", [&] { write({}); });
  run.thread("second", [&] { write({}); });
  run.thread("stopped", [&] { write(stop.token()); });
  run.thread("stopper", [&] { stop.request_stop(); });
  run.join();
}

TEST(TurnsTest, OneCallerAtATimeAndEveryCallerGetsATurn) {
  EXPECT_NO_FAILURE(explore::explore({.schedules = 2000}, take_turns));
}

TEST(TurnsTest, ACallerThatGivesUpDelaysNoOther) {
  Turns turns;
  base::StopSource stop;
  auto first = turns.take({});
  stop.request_stop();
  EXPECT_EQ(turns.take(stop.token()).error().code(), base::ErrorCode::kCancelled);
  EXPECT_EQ(turns.take(stop.token()).error().code(), base::ErrorCode::kCancelled);
  first->give_up();
  EXPECT_TRUE(turns.take({}).ok());
  EXPECT_TRUE(turns.take({}).ok());
}

}  // namespace
}  // namespace clever::storage::postgres
