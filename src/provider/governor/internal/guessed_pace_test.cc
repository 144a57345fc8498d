#include "provider/governor/internal/guessed_pace.h"

#include <gtest/gtest.h>

namespace clever::provider::governor {
namespace {

using namespace std::chrono_literals;
using base::TimePoint;

GuessedPace refused_after(int answers, base::Duration each, TimePoint& now) {
  GuessedPace pace;
  for (int i = 0; i < answers; ++i) {
    pace.on_start(now);
    pace.on_answer();
    now += each;
  }
  pace.on_refusal(now);
  return pace;
}

TEST(GuessedPaceTest, WithoutARefusalNothingWaits) {
  GuessedPace pace;
  pace.on_start(TimePoint{1h});
  EXPECT_EQ(pace.ready_at(), TimePoint{1h});
}

TEST(GuessedPaceTest, AfterARefusalItGoesAsFastAsItWent) {
  TimePoint now{1h};
  GuessedPace pace = refused_after(10, 250ms, now);
  pace.on_start(now);
  EXPECT_EQ(pace.ready_at(), now + 250ms);
}

TEST(GuessedPaceTest, GetsFasterWithAnswersAndSlowerWithRefusals) {
  TimePoint now{1h};
  GuessedPace pace = refused_after(10, 250ms, now);
  for (int i = 0; i < 50; ++i) pace.on_answer();
  pace.on_start(now);
  EXPECT_LT(pace.ready_at(), now + 200ms);
  pace.on_refusal(now);
  EXPECT_GT(pace.ready_at(), now + 230ms);
}

TEST(GuessedPaceTest, AnOutageIsNotCounted) {
  TimePoint now{1h};
  GuessedPace pace = refused_after(10, 250ms, now);
  pace.on_start(now);
  pace.on_outage();
  now += 1h;
  pace.on_start(now);
  pace.on_answer();
  pace.on_refusal(now + 100ms);
  EXPECT_LT(pace.ready_at(), now + 320ms);
}

TEST(GuessedPaceTest, IsBoundedAndForgotten) {
  TimePoint now{1h};
  GuessedPace pace = refused_after(2, 10min, now);
  pace.on_start(now);
  EXPECT_EQ(pace.ready_at(), now + 30s);
  pace.forget();
  EXPECT_LE(pace.ready_at(), now);
}

}  // namespace
}  // namespace clever::provider::governor
