// Every model of every report under the explorer: known failures are found and can be replayed;
// whatever else a model promises holds.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <ostream>
#include <regex>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "reports/report.h"
#include "reports/search.h"
#include "reports/table.h"
#include "support/built_paths.h"

namespace clever::reports {

// Found by GoogleTest when it names a parameter.
static void PrintTo(const Row& row, std::ostream* out) { *out << row.name(); }

namespace {

std::vector<Row> rows_that(bool breaks) {
  auto rows = all_rows();
  std::erase_if(rows, [&](const Row& row) { return row.breaks != breaks; });
  return rows;
}

std::string name_of_row(const testing::TestParamInfo<Row>& info) {
  std::string name = info.param.name();
  std::ranges::replace_if(name, [](char c) { return c == '/' || c == '-'; }, '_');
  return name;
}

void expect_found_and_replayed(const Row& row, explore::Strategy strategy) {
  const auto outcome = search(row, strategy);
  ASSERT_TRUE(outcome.failed()) << "not found within " << kBoundToFind << " schedules";
  EXPECT_EQ(outcome.failure, row.property.shows_as) << outcome;
  EXPECT_EQ(finding(row, outcome), row.property.broken) << outcome;

  const auto again = replay(row, outcome.schedule);
  EXPECT_EQ(again.failure, outcome.failure) << outcome.schedule;
  EXPECT_EQ(again.reason, outcome.reason) << outcome.schedule;
  EXPECT_EQ(again.trace, outcome.trace) << outcome.schedule;
}

class Broken : public testing::TestWithParam<Row> {};

TEST_P(Broken, IsFoundAtRandom) {
  expect_found_and_replayed(GetParam(), explore::Strategy::kRandom);
}
TEST_P(Broken, IsFoundByPct) { expect_found_and_replayed(GetParam(), explore::Strategy::kPct); }
TEST_P(Broken, IsFoundExhaustively) {
  expect_found_and_replayed(GetParam(), explore::Strategy::kExhaustive);
}
INSTANTIATE_TEST_SUITE_P(Report, Broken, testing::ValuesIn(rows_that(true)), name_of_row);

void expect_whole(const Row& row, explore::Strategy strategy) {
  const auto outcome = search(row, strategy);
  EXPECT_FALSE(outcome.failed()) << outcome;
  EXPECT_EQ(outcome.schedules, kRandomToHold);
}

class Whole : public testing::TestWithParam<Row> {};

TEST_P(Whole, HoldsInAllSchedulesWithTwoPreemptions) {
  const auto outcome = search(GetParam(), explore::Strategy::kExhaustive);
  EXPECT_FALSE(outcome.failed()) << outcome;
  EXPECT_TRUE(outcome.complete) << "more than " << kExhaustiveToHold << " schedules";
}
TEST_P(Whole, HoldsAtRandom) { expect_whole(GetParam(), explore::Strategy::kRandom); }
TEST_P(Whole, HoldsByPct) { expect_whole(GetParam(), explore::Strategy::kPct); }
INSTANTIATE_TEST_SUITE_P(Report, Whole, testing::ValuesIn(rows_that(false)), name_of_row);

// --- the table itself ---

TEST(Rows, EveryPropertyIsBrokenBySomeModelAndKeptByAnother) {
  std::set<std::string> broken;
  std::set<std::string> kept;
  for (const Row& row : all_rows()) {
    (row.breaks ? broken : kept).insert(row.report + "/" + row.property.name);
  }
  // Nothing in the reports breaks it; it is what a component of ours has to show after a crash.
  broken.insert("7120/survives");
  EXPECT_EQ(broken, kept);
}

TEST(Rows, HaveNamesOfTheirOwn) {
  std::set<std::string> names;
  for (const Row& row : all_rows()) EXPECT_TRUE(names.insert(row.name()).second) << row.name();
}

// docs/internals/reports.md says which row shows what.
TEST(Rows, NamedInTheDocumentationExist) {
  std::set<std::string> names;
  for (const Row& row : all_rows()) names.insert(row.name());
  std::ifstream in(test::source_root() / "docs/internals/reports.md");
  const std::string page{std::istreambuf_iterator<char>(in), {}};
  const std::regex row_name("[0-9]{4}/[a-z-]+/[a-z_]+");
  int named = 0;
  for (std::sregex_iterator it(page.begin(), page.end(), row_name), end; it != end; ++it) {
    ++named;
    EXPECT_TRUE(names.contains(it->str())) << it->str();
  }
  EXPECT_GT(named, 50);
}

TEST(RowsDeathTest, RefuseToBreakWhatIsNotAProperty) {
  Book book("1", "nothing");
  EXPECT_DEATH(book.add("reported", {}, {"misspelt"}), "no property: misspelt");
}

Row row_of(bool breaks, bool fails) {
  const Property property{"p", "something happens", "it broke",
                          [fails](explore::Run& run) { run.require(!fails, "it broke"); }};
  return {"1", "subject", "model", property, breaks};
}

Verdict verdict_of(const Row& row) {
  return {&row, explore::Strategy::kRandom, search(row, explore::Strategy::kRandom, 1)};
}

TEST(Table, AlignsItsColumns) {
  const Row row = row_of(true, true);
  const std::vector<Verdict> verdicts{verdict_of(row)};
  EXPECT_EQ(text_table(verdicts),
            "report  subject  model  property  verdict   strategy  schedules  replay\n"
            "#1      subject  model  p         it broke  random    1          random/1\n");
}

TEST(Table, MarksAFailureThatIsNotThere) {
  const Row row = row_of(true, false);
  EXPECT_FALSE(verdict_of(row).as_expected());
  EXPECT_NE(text_table(std::vector{verdict_of(row)}).find("UNEXPECTED: holds"), std::string::npos);
}

TEST(Table, MarksAnUnknownFailure) {
  const Row row = row_of(false, true);
  EXPECT_FALSE(verdict_of(row).as_expected());
}

TEST(Table, MarksAFailureOfAnotherKind) {
  Row row = row_of(true, true);
  row.property.body = [](explore::Run&) { throw std::runtime_error("surprise"); };
  const Verdict verdict = verdict_of(row);
  EXPECT_FALSE(verdict.as_expected());
  EXPECT_EQ(finding(row, verdict.outcome), "exception: main threw: surprise");
}

TEST(Table, IsTheSameInEveryRun) {
  auto rows = registry_book().rows();
  std::erase_if(rows, [](const Row& row) { return !row.breaks; });
  EXPECT_EQ(text_table(explore_rows(rows)), text_table(explore_rows(rows)));
}

TEST(Table, WritesJson) {
  Row row = row_of(true, true);
  row.subject = "a \"subject\"";
  const Workload workload{.report = "1",
                          .subject = "subject",
                          .model = "model",
                          .when = "work",
                          .what = "things",
                          .exact = true,
                          .excess = false,
                          .run = [](int) { return Tally{3, 2}; }};
  const std::vector<Yield> yields{{&workload, 10, workload.run(10)}};
  EXPECT_EQ(json_tables(std::vector{verdict_of(row)}, yields),
            R"({
  "schedules": [
    {"report": "1", "subject": "a \"subject\"", "model": "model", "property": "p", "holds": false, "verdict": "it broke", "as_expected": true, "strategy": "random", "schedules": 1, "complete": false, "schedule": "random/1"}
  ],
  "threads": [
    {"report": "1", "subject": "subject", "model": "model", "workers": 10, "what": "things", "expected": 3, "counted": 2, "as_expected": false}
  ]
}
)");
}

}  // namespace
}  // namespace clever::reports
