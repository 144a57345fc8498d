// Runs cases/*.case, and shows that a case can fail.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "reports/case_steps.h"
#include "support/built_paths.h"

namespace clever::reports {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Optional;

std::filesystem::path report_cases() { return test::source_root() / "test/reports/cases"; }

std::vector<std::string> case_files() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(report_cases())) {
    files.push_back(entry.path().filename().string());
  }
  std::ranges::sort(files);
  return files;
}

std::string contents(const std::string& file) {
  std::ifstream in(report_cases() / file);
  return {std::istreambuf_iterator<char>(in), {}};
}

base::Result<void> run_case(const std::string& file, const Case& one) {
  World world;
  Steps steps;
  add_steps(steps, world);
  return steps.run(file, one);
}

std::string name_of_case(const testing::TestParamInfo<std::string>& info) {
  return info.param.substr(0, info.param.find('.'));
}

class ReportCase : public testing::TestWithParam<std::string> {};

TEST_P(ReportCase, DoesAsItSays) {
  const auto cases = parse_cases(GetParam(), contents(GetParam()));
  ASSERT_TRUE(cases.ok()) << cases.error().to_string();
  for (const Case& one : *cases) {
    const auto result = run_case(GetParam(), one);
    EXPECT_TRUE(result.ok()) << result.error().to_string();
  }
}
INSTANTIATE_TEST_SUITE_P(Cases, ReportCase, testing::ValuesIn(case_files()), name_of_case);

// --- the runner ---

std::string error_of(std::string_view text) {
  const auto cases = parse_cases("x.case", text);
  if (!cases.ok()) return cases.error().sentence();
  const auto result = run_case("x.case", cases->front());
  return result.ok() ? "" : result.error().sentence();
}

TEST(CaseFile, RefusesAnUnknownStepByFileAndLine) {
  EXPECT_THAT(error_of("Case: c\n\n  Given a unicorn\n"),
              HasSubstr("x.case:3 (c): no such step: Given a unicorn"));
}

TEST(CaseFile, RefusesAnUnknownModel) {
  EXPECT_THAT(error_of("Case: c\nGiven the imagined provider registry"),
              HasSubstr("there is no model 'imagined' of 'provider registry'"));
}

TEST(CaseFile, RefusesAnUnknownScenario) {
  EXPECT_THAT(error_of("Case: c\nGiven the reported container\nWhen pigs fly"),
              HasSubstr("x.case:3 (c): no such scenario of 'container': pigs fly"));
}

TEST(CaseFile, RefusesUnknownWorkForRealThreads) {
  EXPECT_THAT(error_of("Case: c\nGiven the reported container\nWhen 2 real threads fly"),
              HasSubstr("no such work of 'container' for real threads: fly"));
}

constexpr auto kContainerScenario =
    " container\nWhen two workers ask for the container at the same time\nThen ";

std::string container_case(std::string_view model, std::string_view then) {
  return error_of("Case: c\nGiven the " + std::string(model) + kContainerScenario +
                  std::string(then));
}

TEST(CaseFile, FailsWhenTheExplorerFindsNothing) {
  EXPECT_THAT(container_case("ours", "the explorer finds within 9 schedules: two of them"),
              HasSubstr("x.case:4 (c): expected 'two of them', the explorer says: holds"));
}

TEST(CaseFile, FailsWhenTheExplorerFindsSomethingElse) {
  EXPECT_THAT(container_case("reported", "the explorer finds within 99 schedules: three of them"),
              HasSubstr("the explorer says: two callers hold two containers"));
}

TEST(CaseFile, FailsWhenTheExplorerFindsSomethingWhereNothingShouldBe) {
  EXPECT_THAT(container_case("reported", "the explorer finds nothing in all schedules"),
              HasSubstr("the explorer says: two callers hold two containers"));
}

TEST(CaseFile, CannotReplayWhatWasNotFound) {
  EXPECT_THAT(container_case("ours", "the same schedule shows it again"),
              HasSubstr("nothing was found to replay"));
}

TEST(CaseFile, FailsWhenThereAreMore) {
  EXPECT_THAT(error_of("Case: c\nGiven the ours container\nWhen 2 real threads ask the "
                       "composition root\nThen there are at most 0 clients and engines"),
              HasSubstr("x.case:4 (c): there are 2 clients and engines"));
}

TEST(CaseFile, WantsRealThreadsBeforeTheirCount) {
  EXPECT_THAT(error_of("Case: c\nGiven the ours container\nThen there are exactly 1 containers"),
              HasSubstr("no real threads have counted 'containers'"));
}

TEST(CaseFile, WantsAScenarioBeforeAFinding) {
  EXPECT_THAT(error_of("Case: c\nThen the explorer finds within 9 schedules: two"),
              HasSubstr("'Then' before any 'When'"));
  EXPECT_THAT(error_of("Case: c\nThen the explorer finds nothing in all schedules"),
              HasSubstr("'Then' before any 'When'"));
}

TEST(CaseFile, WantsKeywords) {
  EXPECT_THAT(error_of("Case: c\nPerhaps the container"),
              HasSubstr("x.case:2: 'Perhaps the container' begins with none of Given"));
  EXPECT_THAT(error_of("Case: c\nAnd the container"), HasSubstr("begins with none of"));
}

TEST(CaseFile, WantsACase) {
  EXPECT_THAT(error_of("# nothing\n"), HasSubstr("x.case: no 'Case:' in this file"));
  EXPECT_THAT(error_of("Given the reported container"), HasSubstr("a step before the first"));
  EXPECT_THAT(error_of("Case: empty\n"), HasSubstr("case 'empty' has no steps"));
}

TEST(CaseFile, ContinuesTheKeywordBefore) {
  const auto cases = parse_cases("x.case", "Case: c\nGiven a\nAnd b\nThen c\nBut d\n");
  ASSERT_TRUE(cases.ok());
  std::vector<std::string> keywords;
  for (const Step& step : cases->front().steps) keywords.push_back(step.keyword);
  EXPECT_THAT(keywords, ElementsAre("Given", "Given", "Then", "Then"));
}

TEST(Pattern, Captures) {
  EXPECT_THAT(match("{number} real {text}", "10 real threads ask"),
              Optional(ElementsAre("10", "threads ask")));
  EXPECT_THAT(match("the {word} {text}", "the reported engine cache"),
              Optional(ElementsAre("reported", "engine cache")));
}

TEST(Pattern, MatchesWholeLinesOnly) {
  EXPECT_FALSE(match("{number} threads", "ten threads"));
  EXPECT_FALSE(match("a step", "a step more"));
  EXPECT_FALSE(match("a step more", "a step"));
  EXPECT_FALSE(match("ends {text}", "ends "));
}

}  // namespace
}  // namespace clever::reports
