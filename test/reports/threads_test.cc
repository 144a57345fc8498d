// The models under 10 and 200 real threads. Of a naive model only what is certain is asserted: it
// may be lucky. A correct one is exact.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <ostream>

#include "reports/table.h"

namespace clever::reports {

// Found by GoogleTest when it names a parameter.
static void PrintTo(const Workload& row, std::ostream* out) {
  *out << row.report << "/" << row.model << "/" << row.what;
}

namespace {

std::string name_of_workload(const testing::TestParamInfo<Workload>& info) {
  std::string name = info.param.report + "_" + info.param.model + "_" + info.param.what;
  std::ranges::replace_if(name, [](char c) { return c == ' ' || c == '-'; }, '_');
  return name;
}

class RealThreads : public testing::TestWithParam<Workload> {};

TEST_P(RealThreads, YieldWhatIsPossible) {
  for (const int workers : {10, 200}) {
    const Yield yield{&GetParam(), workers, GetParam().run(workers)};
    EXPECT_TRUE(yield.as_expected()) << workers << " workers: " << yield.tally.counted << " "
                                     << GetParam().what << ", expected " << yield.tally.expected;
  }
}
INSTANTIATE_TEST_SUITE_P(Report, RealThreads, testing::ValuesIn(all_workloads()), name_of_workload);

TEST(Together, RunsEveryWorkerOnce) {
  std::vector<std::atomic<int>> runs(50);
  together(50, [&](int worker) { ++runs[static_cast<std::size_t>(worker)]; });
  EXPECT_TRUE(std::ranges::all_of(runs, [](const auto& count) { return count == 1; }));
}

TEST(Yields, AreHeldToWhatIsPossible) {
  const auto as_expected = [](bool exact, bool excess, Tally tally) {
    const Workload workload{.report = "",
                            .subject = "",
                            .model = "",
                            .when = "",
                            .what = "",
                            .exact = exact,
                            .excess = excess,
                            .run = {}};
    return Yield{&workload, 1, tally}.as_expected();
  };
  EXPECT_TRUE(as_expected(true, false, {.expected = 4, .counted = 4}));
  EXPECT_FALSE(as_expected(true, false, {.expected = 4, .counted = 3}));
  EXPECT_TRUE(as_expected(false, false, {.expected = 4, .counted = 3}));
  EXPECT_FALSE(as_expected(false, false, {.expected = 4, .counted = 5}));
  EXPECT_TRUE(as_expected(false, true, {.expected = 1, .counted = 5}));
  EXPECT_FALSE(as_expected(false, true, {.expected = 1, .counted = 0}));
}

TEST(Yields, AreCountedForTenAndTwoHundredWorkers) {
  const Workload workload{.report = "1",
                          .subject = "subject",
                          .model = "model",
                          .when = "work",
                          .what = "things",
                          .exact = false,
                          .excess = true,
                          .run = [](int workers) { return Tally{1, workers / 10}; }};
  EXPECT_EQ(text_table(run_workloads(std::vector{workload})),
            "report  subject  model  workers  what    expected  counted  difference\n"
            "#1      subject  model  10       things  1         1        -\n"
            "#1      subject  model  200      things  1         20       19 too many\n");
}

}  // namespace
}  // namespace clever::reports
