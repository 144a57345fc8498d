#include "server/event_cursor.h"

#include <gtest/gtest.h>

#include <chrono>

namespace clever::server {
namespace {

constexpr model::Timestamp kNow{std::chrono::seconds{1'000'000}};

EventCursor parsed(std::string_view text) { return EventCursor::parse(text, kNow).value(); }

TEST(EventCursor, CountsOnWhereNothingIsMissing) {
  EventCursor cursor(7);
  EXPECT_TRUE(cursor.take(8, kNow, kNow));
  EXPECT_TRUE(cursor.take(9, kNow, kNow));
  EXPECT_EQ(cursor.text(), "9");
  EXPECT_FALSE(cursor.take(9, kNow, kNow));
  EXPECT_FALSE(cursor.take(3, kNow, kNow));
}

TEST(EventCursor, WaitsForWhatBecomesVisibleLater) {
  EventCursor cursor(7);
  EXPECT_TRUE(cursor.take(9, kNow, kNow));
  EXPECT_TRUE(cursor.take(10, kNow, kNow));
  EXPECT_TRUE(cursor.take(12, kNow, kNow));
  EXPECT_EQ(cursor.text(), "7~9-10,12");
  EXPECT_FALSE(cursor.take(10, kNow, kNow));
  EXPECT_TRUE(cursor.take(8, kNow, kNow)) << "it comes late, and is not lost";
  EXPECT_EQ(cursor.text(), "10~12");
}

TEST(EventCursor, AGapThatStaysIsIgnored) {
  EventCursor cursor(7);
  EXPECT_TRUE(cursor.take(9, kNow, kNow));
  EXPECT_TRUE(cursor.take(10, kNow, kNow + std::chrono::seconds{31}));
  EXPECT_EQ(cursor.text(), "10");
  // What is read of the past has gaps of deleted journals.
  EXPECT_TRUE(cursor.take(50, kNow - std::chrono::hours{1}, kNow));
  EXPECT_EQ(cursor.low(), 50);
}

TEST(EventCursor, ItsTextIsReadAgain) {
  for (const char* text : {"0", "120", "120~122", "120~122-125,127"}) {
    EXPECT_EQ(parsed(text).text(), text);
  }
  EventCursor cursor = parsed("120~122-125,127");
  EXPECT_FALSE(cursor.take(123, kNow, kNow));
  EXPECT_TRUE(cursor.take(126, kNow, kNow));
  EXPECT_EQ(cursor.text(), "120~122-127");
}

TEST(EventCursor, AnythingElseIsRefused) {
  for (const char* text : {"", "-1", "x", "1~", "1~1", "5~3", "1~3-2", "1~5,4", "1~3,3", "1~2-3-4",
                           "1~2-99999999", "99999999999999999999"}) {
    EXPECT_FALSE(EventCursor::parse(text, kNow).ok()) << text;
  }
}

}  // namespace
}  // namespace clever::server
