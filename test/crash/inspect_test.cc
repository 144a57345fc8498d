// The inspection finds what it is for: loads that are wrong on purpose, and databases that were
// tampered with.
#include "crash/inspect.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <ostream>

#include "crash/load.h"
#include "crash/memory_folder.h"
#include "crash/victims.h"

namespace clever::storage::crash {
namespace {

class InspectTest : public ::testing::Test {
 protected:
  // The load dies at this crash point, if it comes there.
  Faults faults_of_load(Flaw flaw, const std::string& crash_at) {
    const MemoryFolder folder;
    const Place place = Place::file(folder.path());
    Victims victim(1, [&](int, const Tell& tell) {
      ::setenv("CLEVER_CRASH_AT", crash_at.c_str(), /*overwrite=*/1);
      LoadOptions options;
      options.operations = 40;
      options.threads = 2;
      options.flaw = flaw;
      run_load(place, options, tell);
    });
    victim.wait();
    return inspect_apart(place, victim.take_reports(), 1);
  }
  // Dies at this point for the first time, the second, …; the faults of the first death that has
  // any.
  Faults first_faults(Flaw flaw, const std::string& point) {
    Faults faults;
    for (int pass = 1; pass <= 40 && faults.empty(); ++pass) {
      faults = faults_of_load(flaw, point + ":" + std::to_string(pass));
    }
    return faults;
  }
};

TEST_F(InspectTest, ASoundLoadHasNoFaults) {
  EXPECT_EQ(to_string(faults_of_load(Flaw::kNone, "nowhere:1")), "");
}

TEST_F(InspectTest, FindsAReportBeforeTheCommit) {
  const Faults faults = first_faults(Flaw::kReportsEarly, "storage.written");
  ASSERT_FALSE(faults.empty());
  EXPECT_EQ(faults[0].kind, Fault::Kind::kLost);
}

TEST_F(InspectTest, FindsHalfAUnit) {
  const Faults faults = first_faults(Flaw::kSplitsUnits, "storage.written");
  ASSERT_FALSE(faults.empty());
  EXPECT_EQ(faults[0].what, "a unit is half there: left and right differ");
}

TEST_F(InspectTest, FindsWhatIsThereTwice) {
  const std::string faults = to_string(faults_of_load(Flaw::kForgetsKeys, "nowhere:1"));
  EXPECT_NE(faults.find("a job is there twice"), std::string::npos) << faults;
  EXPECT_NE(faults.find("a command is there twice"), std::string::npos) << faults;
}

struct Tampering {
  const char* name;
  Sql statement;

  friend void PrintTo(const Tampering& tampering, std::ostream* out) { *out << tampering.name; }
};

class TamperingTest : public ::testing::TestWithParam<Tampering> {};

TEST_P(TamperingTest, IsFound) {
  const MemoryFolder folder;
  const Place place = Place::file(folder.path());
  Victims load(1, [&](int, const Tell& tell) {
    LoadOptions options;
    options.operations = 300;
    options.threads = 1;
    run_load(place, options, tell);
  });
  load.wait();
  const std::vector<Report> reports = load.take_reports();
  ASSERT_EQ(to_string(inspect_apart(place, reports, 1)), "");
  const int tampered = test::in_child([&] {
    const auto clock = clock_of(place, 1);
    const auto engine = place.open(*clock).value();
    UnitOfWork unit;
    unit.require(1, {base::ErrorCode::kNotFound, "nothing to tamper with"}, GetParam().statement);
    return engine->commit(std::move(unit)).ok() ? 0 : 1;
  });
  ASSERT_EQ(tampered, 0);
  EXPECT_NE(to_string(inspect_apart(place, reports, 1)), "");
}

INSTANTIATE_TEST_SUITE_P(
    All, TamperingTest,
    ::testing::Values(
        Tampering{"LostUnit",
                  "DELETE FROM crash_left WHERE tag = (SELECT max(tag) FROM crash_left)"},
        Tampering{"ChangedUnit",
                  "UPDATE crash_right SET content = x'00' WHERE tag = "
                  "(SELECT max(tag) FROM crash_right)"},
        Tampering{"LostEvent",
                  "DELETE FROM event WHERE position = (SELECT max(position) FROM event)"},
        Tampering{"ChangedEvent", "UPDATE event SET data = x'7b7d' WHERE position = 3"},
        Tampering{"LostPair",
                  "DELETE FROM crash_pair WHERE tag = (SELECT max(tag) FROM crash_pair)"},
        Tampering{"LostCommand", "DELETE FROM inbox WHERE id = (SELECT max(id) FROM inbox)"},
        Tampering{"CommandThatWaitsAgain",
                  "UPDATE inbox SET consumed = NULL WHERE id = "
                  "(SELECT max(id) FROM inbox WHERE consumed IS NOT NULL)"},
        Tampering{"LostRaise", "UPDATE crash_counter SET value = value - 1 WHERE id = 0"},
        Tampering{"StolenRaise", "UPDATE crash_raise SET tag = -5 WHERE counter = 0 AND value = 1"},
        Tampering{"LostJob",
                  "DELETE FROM job WHERE id = (SELECT max(id) FROM job WHERE "
                  "queue = 'crash')"},
        Tampering{
            "JobThatIsBack",
            "INSERT INTO job (queue, priority, ready, state, attempts, max_attempts, expires, "
            "body, enqueued) SELECT 'crash', 0, 0, 0, 0, 1, 0, CAST(tag || ':' AS BLOB), 0 "
            "FROM crash_done LIMIT 1"},
        Tampering{"ForgottenAttempt",
                  "UPDATE job SET attempts = 0 WHERE id = (SELECT max(id) FROM "
                  "job WHERE queue = 'crash' AND attempts > 0)"},
        Tampering{"LostEffect", "DELETE FROM effect WHERE id = (SELECT max(id) FROM effect)"},
        Tampering{"LostDecision", "DELETE FROM decision WHERE id = (SELECT max(id) FROM decision)"},
        Tampering{"LostEpoch", "UPDATE lease SET epoch = 0"},
        Tampering{"LostBody", "UPDATE body SET content = x'00' WHERE id = 1"}),
    [](const auto& parameter) { return std::string(parameter.param.name); });

}  // namespace
}  // namespace clever::storage::crash
