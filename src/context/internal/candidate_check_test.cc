#include "context/internal/candidate_check.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace clever::context::internal {
namespace {

constexpr CandidateLimits kLimits{.most_candidates = 3, .most_text = 100};

CheckedCandidates check(std::vector<Candidate> proposed, const CandidateLimits& limits = kLimits) {
  return check_candidates(std::move(proposed), limits);
}

Candidate one(const Candidate& candidate) {
  auto checked = check({candidate});
  EXPECT_EQ(checked.candidates.size(), 1U) << checked.remark;
  return checked.candidates.empty() ? Candidate{} : checked.candidates.front();
}

TEST(CandidateCheck, LeavesWhatIsRightAsItIs) {
  const Candidate right{.path = "src/a.cc",
                        .range = {10, 20, 2, 3},
                        .depth = syntax::Depth::kSignatures,
                        .relevance = 0.75,
                        .why = "defines `a`",
                        .text = "größer"};
  const auto checked = check({right});
  EXPECT_EQ(checked.candidates, std::vector{right});
  EXPECT_EQ(checked.remark, "");
}

TEST(CandidateCheck, CutsAFlood) {
  const auto checked = check(std::vector(1000, Candidate{.path = "a"}));
  EXPECT_EQ(checked.candidates.size(), 3U);
  EXPECT_EQ(checked.remark, "left out: 997 beyond the most that are taken");
}

TEST(CandidateCheck, LeavesOutTextsThatDoNotFitAndKeepsThoseThatDo) {
  const auto checked = check({{.path = "a", .text = std::string(60, 'x')},
                              {.path = "b", .text = std::string(60, 'x')},
                              {.path = "c", .text = std::string(20, 'x')}});
  ASSERT_EQ(checked.candidates.size(), 2U);
  EXPECT_EQ(checked.candidates[1].path, "c");
  EXPECT_EQ(checked.remark, "left out: 1 with more text than is taken");
}

TEST(CandidateCheck, CountsReasonsToo) {
  const auto checked = check({{.path = "a", .why = std::string(101, 'x')}});
  EXPECT_TRUE(checked.candidates.empty());
}

TEST(CandidateCheck, ClampsRelevances) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const auto relevance = [](double proposed) {
    return one({.path = "a", .relevance = proposed}).relevance;
  };
  EXPECT_EQ(relevance(std::numeric_limits<double>::quiet_NaN()), 0);
  EXPECT_EQ(relevance(-1), 0);
  EXPECT_EQ(relevance(7), 1);
  EXPECT_EQ(relevance(kInfinity), 1);
  EXPECT_EQ(relevance(-kInfinity), 0);
}

class BadPath : public testing::TestWithParam<std::string> {};

TEST_P(BadPath, IsLeftOut) {
  const auto checked = check({{.path = GetParam(), .text = "with a text of its own"}});
  EXPECT_TRUE(checked.candidates.empty());
  EXPECT_EQ(checked.remark, "left out: 1 with a path or range that cannot be");
}
INSTANTIATE_TEST_SUITE_P(CandidateCheck, BadPath,
                         testing::Values("", "/etc/passwd", "../up", "a/../../b", ".git/config",
                                         std::string("a\0b", 3), "."));

TEST(CandidateCheck, WritesPathsAsTheProjectDoes) {
  EXPECT_EQ(one({.path = "./src//a.cc"}).path, "src/a.cc");
}

TEST(CandidateCheck, LeavesOutRangesThatCannotBe) {
  constexpr auto kLargest = std::numeric_limits<std::uint32_t>::max();
  for (const syntax::Range& range : {syntax::Range{5, 4, 1, 1}, syntax::Range{0, 1, 0, 1},
                                     syntax::Range{0, 1, 3, 2}, syntax::Range{kLargest, 0, 1, 1}}) {
    EXPECT_TRUE(check({{.path = "a", .range = range}}).candidates.empty());
  }
}

TEST(CandidateCheck, TakesAnUnknownDepthForAll) {
  EXPECT_EQ(one({.path = "a", .depth = static_cast<syntax::Depth>(77)}).depth,
            syntax::Depth::kFull);
}

TEST(CandidateCheck, MakesTextsUtf8) {
  EXPECT_EQ(one({.path = "a", .text = "a\xff"}).text, "a\xef\xbf\xbd");
}

TEST(CandidateCheck, MakesReasonsOneShortLine) {
  EXPECT_EQ(one({.path = "a", .why = "two\nlines \x1b[31m"}).why, "two lines  [31m");
  const auto checked = check({{.path = "a", .why = std::string(4000, 'x')}},
                             {.most_candidates = 1, .most_text = 9999});
  EXPECT_EQ(checked.candidates.at(0).why.size(), 400U);
}

}  // namespace
}  // namespace clever::context::internal
