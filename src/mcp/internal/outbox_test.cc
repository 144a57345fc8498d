#include "mcp/internal/outbox.h"

#include <gtest/gtest.h>

#include "mcp/internal/last_words.h"
#include "mcp/internal/uri.h"

namespace clever::mcp::internal {
namespace {

TEST(Outbox, LinesLeaveInOrder) {
  Outbox outbox(100);
  outbox.put({.text = "one"}).value();
  outbox.put({.text = "two"}).value();
  EXPECT_EQ(outbox.take(), "one\n");
  EXPECT_EQ(outbox.take(), "two\n");
  EXPECT_EQ(outbox.take(), std::nullopt);
}

TEST(Outbox, IsBounded) {
  Outbox outbox(8);
  outbox.put({.text = "1234567"}).value();
  EXPECT_EQ(outbox.put({.text = ""}).error().code(), base::ErrorCode::kResourceExhausted);
  outbox.take();
  EXPECT_TRUE(outbox.put({.text = "1234567"}).ok());
}

TEST(Outbox, DoesNotSendAbandonedMessages) {
  Outbox outbox(8);
  outbox.put({.text = "1234567", .number = 4}).value();
  EXPECT_FALSE(outbox.remove(3));
  EXPECT_TRUE(outbox.remove(4));
  EXPECT_FALSE(outbox.remove(4));
  EXPECT_TRUE(outbox.put({.text = "1234567"}).ok());
}

TEST(Outbox, TakesNothingAfterItsClose) {
  Outbox outbox(8);
  outbox.close(base::unavailable("gone"));
  EXPECT_EQ(outbox.put({.text = "x"}).error().message(), "gone");
}

TEST(LastWords, AreTheLastTenLines) {
  LastWords words;
  for (int n = 0; n < 30; ++n) words.add("line " + std::to_string(n) + "\n");
  EXPECT_TRUE(words.lines().starts_with("line 20\nline 21\n"));
  EXPECT_TRUE(words.lines().ends_with("\nline 29"));
}

TEST(LastWords, AreBounded) {
  LastWords words;
  words.add(std::string(10'000, 'x'));
  words.add("\x1B[2Jend\r\n");
  EXPECT_LT(words.lines().size(), 5000U);
  EXPECT_EQ(LastWords().lines(), "");
}

TEST(LastWords, AFewAreKeptWhole) {
  LastWords words;
  words.add("\nfirst\nsecond");
  EXPECT_EQ(words.lines(), "first\nsecond");
}

TEST(Uri, NamesAFile) { EXPECT_EQ(file_uri("/a b/ä-1.txt"), "file:///a%20b/%C3%A4-1.txt"); }

}  // namespace
}  // namespace clever::mcp::internal
