// kill -9 at every place that the sources name, during a first run, an upgrade and all in between.
#include "crash/crash_points.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "crash/load.h"
#include "crash/memory_folder.h"
#include "crash/script.h"
#include "crash/victims.h"
#include "support/campaign.h"

namespace clever::storage::crash {
namespace {

struct Outcome {
  bool died = false;
  Faults faults;
  std::vector<std::string> left_over;
};

Outcome die_at(const std::string& point, int pass) {
  const MemoryFolder folder;
  const Place place = Place::file(folder.path());
  Victims victim(1, [&](int, const Tell& tell) {
    ::setenv("CLEVER_CRASH_AT", (point + ":" + std::to_string(pass)).c_str(), /*overwrite=*/1);
    run_script(place, tell);
  });
  Outcome outcome;
  outcome.died = victim.wait();
  outcome.faults = inspect_apart(place, victim.take_reports(), kRunsOfScript, upgraded_tables());
  outcome.left_over = leftovers(folder.path());
  return outcome;
}

TEST(CrashPointsTest, TheSourcesNameThem) { EXPECT_GE(crash_points().size(), 9U); }

TEST(CrashPointsTest, EveryPointIsPassedAndNoDeathThereLosesAnything) {
  const int passes = static_cast<int>(test::campaign(4, 40));
  for (const std::string& point : crash_points()) {
    // `agents cleanup` dies at each of these in test/cases/retention.case and journals.case.
    if (point.starts_with("retention.") || point.starts_with("tombstones.")) continue;
    bool died = true;
    for (int pass = 1; pass <= passes && died; ++pass) {
      SCOPED_TRACE(point + ":" + std::to_string(pass));
      const Outcome outcome = die_at(point, pass);
      EXPECT_EQ(to_string(outcome.faults), "");
      EXPECT_EQ(outcome.left_over, std::vector<std::string>());
      died = outcome.died;
      EXPECT_TRUE(died || pass > 1) << "the script never comes there";
    }
  }
}

}  // namespace
}  // namespace clever::storage::crash
