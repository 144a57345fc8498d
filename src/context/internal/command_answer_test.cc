#include "context/internal/command_answer.h"

#include <gtest/gtest.h>

#include <string>

namespace clever::context::internal {
namespace {

CommandAnswer answer_in(std::string_view output) { return read_command_answer(output, 100); }

TEST(CommandAnswer, ReadsACandidateFromEachLine) {
  const auto answer = answer_in(
      R"({"path":"a.cc","relevance":0.75,"why":"w","depth":"signatures","first_line":3,"last_line":9})"
      "\n\n  \r\n"
      R"({"path":"b/note","text":"own","unknown":[1]})");
  ASSERT_EQ(answer.candidates.size(), 2U);
  EXPECT_EQ(answer.rubbish, 0U);
  const auto& first = answer.candidates[0];
  EXPECT_EQ(
      first.candidate,
      (Candidate{
          .path = "a.cc", .depth = syntax::Depth::kSignatures, .relevance = 0.75, .why = "w"}));
  EXPECT_EQ(first.first_line, 3U);
  EXPECT_EQ(first.last_line, 9U);
  EXPECT_EQ(answer.candidates[1].candidate.text, "own");
  EXPECT_EQ(answer.candidates[1].candidate.relevance, 0.5);
}

class Rubbish : public testing::TestWithParam<std::string> {};

TEST_P(Rubbish, IsLeftOutAndCounted) {
  const auto answer = answer_in(GetParam() + "\n{\"path\":\"a\"}\n");
  EXPECT_EQ(answer.rubbish, 1U);
  EXPECT_EQ(answer.candidates.size(), 1U);
  EXPECT_LE(answer.first_rubbish.size(), 3 * 120U);
}
INSTANTIATE_TEST_SUITE_P(
    CommandAnswer, Rubbish,
    testing::Values("hello", "[]", "7", "{", "{}", R"({"path":""})", R"({"path":7})",
                    R"({"path":"a","relevance":"high"})", R"({"path":"a","relevance":1e999})",
                    R"({"path":"a","first_line":-1})", R"({"path":"a","first_line":0})",
                    R"({"path":"a","first_line":1.5})", R"({"path":"a","depth":"deep"})",
                    R"({"path":"a","depth":4})", R"({"path":"a","why":null})",
                    R"({"path":"a","text":["x"]})", "{\"path\":\"\xff\"}", std::string(500, '['),
                    "\xff\xfe\x00", std::string(100'000, '['),
                    "{\"path\":\"a\",\"text\":\"" + std::string(2U << 20U, 'x') + "\"}"));

TEST(CommandAnswer, TakesNoMoreThanTheGivenLimit) {
  std::string flood;
  for (int i = 0; i < 1000; ++i) flood += "{\"path\":\"a\"}\n";
  EXPECT_EQ(read_command_answer(flood, 7).candidates.size(), 7U);
}

TEST(CommandAnswer, LinesBeyondAllNumbersAreTheLast) {
  const auto answer = answer_in(R"({"path":"a","first_line":1,"last_line":99999999999})");
  EXPECT_EQ(answer.candidates.at(0).last_line, 4294967295U);
}

TEST(CommandAnswer, NothingIsNothing) {
  EXPECT_TRUE(answer_in("").candidates.empty());
  EXPECT_EQ(answer_in("\n\n").rubbish, 0U);
}

TEST(RangeOfLines, AreTheBytesOfTheLines) {
  constexpr std::string_view kText = "one\ntwo\nthree";
  EXPECT_EQ(range_of_lines(kText, 1, 1), (syntax::Range{0, 4, 1, 1}));
  EXPECT_EQ(range_of_lines(kText, 2, 3), (syntax::Range{4, 13, 2, 3}));
  EXPECT_EQ(range_of_lines(kText, 3, 900), (syntax::Range{8, 13, 3, 3}));
  EXPECT_EQ(range_of_lines(kText, 4, 9), syntax::Range{});
  EXPECT_EQ(range_of_lines(kText, 3, 2), syntax::Range{});
  EXPECT_EQ(range_of_lines(kText, 0, 2), syntax::Range{});
  EXPECT_EQ(range_of_lines("", 1, 1), syntax::Range{});
}

}  // namespace
}  // namespace clever::context::internal
