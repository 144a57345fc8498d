#include "io/sse.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <vector>

namespace clever::io {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// "name|data|id" for each event.
std::vector<std::string> events(const std::vector<std::string>& pieces) {
  std::vector<std::string> seen;
  SseParser parser;
  for (const std::string& piece : pieces) {
    EXPECT_TRUE(parser.feed(piece, [&](const SseEvent& event) {
      seen.push_back(std::string(event.name) + "|" + std::string(event.data) + "|" +
                     std::string(event.id));
    }));
  }
  return seen;
}

TEST(Sse, ReadsNameDataAndId) {
  EXPECT_THAT(events({"event: add\ndata: 73\nid: 7\n\n"}), ElementsAre("add|73|7"));
}

TEST(Sse, AnEventWithoutANameIsAMessage) {
  EXPECT_THAT(events({"data:x\n\n"}), ElementsAre("message|x|"));
}

TEST(Sse, OnlyOneSpaceAfterTheColonIsDropped) {
  EXPECT_THAT(events({"data:  x\n\n"}), ElementsAre("message| x|"));
}

TEST(Sse, DataOfSeveralLinesIsJoined) {
  EXPECT_THAT(events({"data: a\ndata\ndata: c\n\n"}), ElementsAre("message|a\n\nc|"));
}

TEST(Sse, LinesMayEndInCrLfOrCrAsWell) {
  EXPECT_THAT(events({"data: a\r\n\r\ndata: b\r\rdata: c\n\n"}),
              ElementsAre("message|a|", "message|b|", "message|c|"));
}

TEST(Sse, AByteOrderMarkIsSkippedAtTheBeginningOnly) {
  EXPECT_THAT(events({"\xEF\xBB\xBF"
                      "data: a\n\n\xEF\xBB\xBF"
                      "data: b\n\n"}),
              ElementsAre("message|a|"));
}

TEST(Sse, CommentsAreIgnored) {
  EXPECT_THAT(events({": OPENROUTER PROCESSING\n\n", "data: x\n\n"}), ElementsAre("message|x|"));
}

TEST(Sse, FieldsThatAreNotKnownAreIgnored) {
  EXPECT_THAT(events({"datax: 1\n data: 2\ndata: 3\n\n"}), ElementsAre("message|3|"));
}

TEST(Sse, TheIdStaysAndTheNameDoesNot) {
  EXPECT_THAT(events({"event: a\nid: 1\ndata: x\n\ndata: y\n\n"}),
              ElementsAre("a|x|1", "message|y|1"));
}

TEST(Sse, ANameWithoutDataIsForgotten) {
  EXPECT_THAT(events({"event: a\n\ndata: x\n\n"}), ElementsAre("message|x|"));
}

TEST(Sse, AnIdWithNulIsIgnored) {
  EXPECT_THAT(events({std::string("id: 1\nid: a\0b\ndata: x\n\n", 24)}),
              ElementsAre("message|x|1"));
}

TEST(Sse, DataMayBeEmpty) { EXPECT_THAT(events({"data\n\n"}), ElementsAre("message||")); }

TEST(Sse, AnEventThatTheEndCutsOffIsDropped) {
  EXPECT_THAT(events({"data: a\n\ndata: b\n"}), ElementsAre("message|a|"));
}

TEST(Sse, RemembersHowLongToWaitBeforeReconnecting) {
  SseParser parser;
  EXPECT_EQ(parser.retry_milliseconds(), -1);
  const auto ignore = [](const SseEvent&) {};
  EXPECT_TRUE(parser.feed("retry: 2500\nretry: soon\n", ignore));
  EXPECT_EQ(parser.retry_milliseconds(), 2500);
}

TEST(Sse, ALineThatIsTooLongEndsIt) {
  SseParser parser(10);
  int seen = 0;
  const auto count = [&](const SseEvent&) { ++seen; };
  EXPECT_TRUE(parser.feed("data: 1\n\n", count));
  EXPECT_FALSE(parser.feed("data: 1234567890\n\n", count));
  EXPECT_FALSE(parser.feed("data: 1\n\n", count));
  EXPECT_EQ(seen, 1);
}

TEST(Sse, AnEventThatIsTooLongEndsIt) {
  SseParser parser(10);
  const auto ignore = [](const SseEvent&) {};
  EXPECT_FALSE(parser.feed("data: 1\ndata: 2\ndata: 3\ndata: 4\ndata: 5\ndata: 6\n\n", ignore));
}

TEST(LineSplitter, KeepsWhatHasNoEndYet) {
  LineSplitter lines(100);
  std::vector<std::string> seen;
  EXPECT_TRUE(
      lines.feed("{\"a\":1}\n{\"b\"", [&](std::string_view line) { seen.emplace_back(line); }));
  EXPECT_THAT(seen, ElementsAre("{\"a\":1}"));
  EXPECT_EQ(lines.rest(), "{\"b\"");
}

rc::Gen<std::string> random_stream() {
  const auto piece =
      rc::gen::element<std::string>("data: ", "data", "event: x", "id: 1", ":c", "\n", "\r", "\r\n",
                                    "\n\n", "a", "\xEF\xBB\xBF", "retry: 9");
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(piece), [](auto pieces) {
    std::string stream;
    for (const std::string& one : pieces) stream += one;
    return stream;
  });
}

TEST(SseProperties, AnyCutOfTheBytesGivesTheSameEvents) {
  EXPECT_TRUE(rc::check([] {
    const std::string stream = *random_stream();
    std::vector<std::string> single;
    for (const char c : stream) single.emplace_back(1, c);
    const std::size_t cut = *rc::gen::inRange<std::size_t>(0, stream.size() + 1);
    const auto whole = events({stream});
    RC_ASSERT(events(single) == whole);
    RC_ASSERT(events({stream.substr(0, cut), stream.substr(cut)}) == whole);
  }));
}

TEST(SseProperties, RoundTrip) {
  EXPECT_TRUE(rc::check([](const std::vector<std::string>& texts) {
    std::string stream;
    std::vector<std::string> expected;
    for (std::string text : texts) {
      std::erase_if(text, [](char c) { return c == '\r' || c == '\n'; });
      stream += "data: " + text + "\n\n";
      expected.push_back("message|" + text + "|");
    }
    RC_ASSERT(events({stream}) == expected);
  }));
}

TEST(Sse, AnEmptyStreamHasNoEvents) { EXPECT_THAT(events({""}), IsEmpty()); }

}  // namespace
}  // namespace clever::io
