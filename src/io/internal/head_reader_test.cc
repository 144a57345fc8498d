#include "io/internal/head_reader.h"

#include <gtest/gtest.h>

namespace clever::io::internal {
namespace {

using HeadLine = HeadReader::Line;

HeadReader reader_of(std::initializer_list<std::string_view> lines) {
  HeadReader reader;
  for (const std::string_view line : lines) EXPECT_NE(reader.add(line), HeadLine::kTooLarge);
  return reader;
}

TEST(HeadReader, ReadsStatusVersionAndFields) {
  const HeadReader reader =
      reader_of({"HTTP/1.1 200 OK\r\n", "Content-Type:  text/plain \r\n", "X-A:b:c\r\n", "\r\n"});
  EXPECT_TRUE(reader.complete());
  EXPECT_EQ(reader.head().status, 200);
  EXPECT_EQ(reader.head().version, "1.1");
  EXPECT_EQ(reader.head().header("content-type"), "text/plain");
  EXPECT_EQ(reader.head().header("x-a"), "b:c");
}

TEST(HeadReader, ReadsTheStatusOfHttp2) {
  const HeadReader reader = reader_of({"HTTP/2 429 \r\n", "retry-after: 1\r\n", "\r\n"});
  EXPECT_EQ(reader.head().version, "2");
  EXPECT_EQ(reader.head().status, 429);
}

TEST(HeadReader, SaysWhenItIsComplete) {
  HeadReader reader;
  EXPECT_EQ(reader.add("HTTP/1.1 200 OK\r\n"), HeadLine::kMore);
  EXPECT_FALSE(reader.complete());
  EXPECT_EQ(reader.add("\r\n"), HeadLine::kComplete);
}

TEST(HeadReader, DropsInterimHeads) {
  const HeadReader reader = reader_of(
      {"HTTP/1.1 100 Continue\r\n", "X: 1\r\n", "\r\n", "HTTP/1.1 200 OK\r\n", "Y: 2\r\n", "\r\n"});
  EXPECT_EQ(reader.head().status, 200);
  ASSERT_EQ(reader.head().headers.size(), 1U);
  EXPECT_EQ(reader.head().headers[0].name, "y");
}

TEST(HeadReader, JoinsFoldedLines) {
  const HeadReader reader =
      reader_of({"HTTP/1.1 200 OK\r\n", " lost\r\n", "X: a\r\n", "\t b\r\n", "\r\n"});
  EXPECT_EQ(reader.head().header("x"), "a b");
}

TEST(HeadReader, SkipsAnInvalidField) {
  EXPECT_TRUE(reader_of({"HTTP/1.1 200 OK\r\n", "nonsense\r\n", "\r\n"}).head().headers.empty());
}

TEST(HeadReader, IgnoresTrailers) {
  HeadReader reader = reader_of({"HTTP/1.1 200 OK\r\n", "\r\n"});
  EXPECT_EQ(reader.add("X: trailer\r\n"), HeadLine::kMore);
  EXPECT_TRUE(reader.head().headers.empty());
}

TEST(HeadReader, NeedsAStatusToBeComplete) {
  EXPECT_FALSE(reader_of({"HTTP/1.1\r\n", "\r\n"}).complete());
  EXPECT_FALSE(reader_of({"HTTP/1.1 abc\r\n", "\r\n"}).complete());
}

TEST(HeadReader, RefusesWhatIsTooLong) {
  HeadReader reader = reader_of({"HTTP/1.1 200 OK\r\n"});
  EXPECT_EQ(reader.add("X: " + std::string(HeadReader::kLimit, 'x')), HeadLine::kTooLarge);
}

TEST(HeadReader, CanBeUsedAgain) {
  HeadReader reader = reader_of({"HTTP/1.1 200 OK\r\n", "X: 1\r\n", "\r\n"});
  reader.reset();
  EXPECT_FALSE(reader.complete());
  EXPECT_EQ(reader.head().status, 0);
  EXPECT_TRUE(reader.head().headers.empty());
}

}  // namespace
}  // namespace clever::io::internal
