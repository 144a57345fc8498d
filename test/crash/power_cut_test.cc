// The power goes: what was synced is there, of the rest what the disk likes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "base/random.h"
#include "crash/disk_trace.h"
#include "crash/load.h"
#include "crash/memory_folder.h"
#include "crash/script.h"
#include "crash/seeds.h"
#include "crash/victims.h"

namespace clever::storage::crash {
namespace {

using ::testing::Gt;
using ::testing::IsEmpty;
using ::testing::Not;

// By whom the log is taken into the database.
enum class LogTaken : std::uint8_t { kByTheWriter, kBesideTheWriter };

template <class Run>
DiskCalls record(const std::string& lies_about, Run run, LogTaken taken = LogTaken::kByTheWriter) {
  DiskTrace trace(lies_about);
  std::optional<FrequentCheckpoints> checkpoints;
  if (taken == LogTaken::kByTheWriter) checkpoints.emplace();
  const WatchedDisk disk(trace);
  run([&](const Report& report) { trace.reported(report); });
  return trace.take();
}

// By several threads, with closing and opening in between.
void run_mixed_load(const Place& place, const Tell& tell) {
  for (int run = 0; run < 3; ++run) {
    LoadOptions options{.seed = static_cast<std::uint64_t>(run), .run = run};
    options.operations = 12;
    run_load(place, options, tell);
  }
}

// `owners`: the locks of those who ran the load, which are dead.
Faults faults_after_cut(const DiskCalls& calls, std::uint64_t seed,
                        const std::filesystem::path& owners,
                        std::span<const Migration> migrations) {
  const MemoryFolder folder;
  std::filesystem::copy(owners, folder.path() / owners.filename());
  base::SeededRandom random(seed);
  const std::size_t cut = random.below(calls.size() + 1);
  cut_power(calls, cut, any_loss(random), random, folder.path());
  return inspect(Place::file(folder.path()), reports_before(calls, cut), kRunsOfScript, migrations);
}

// What a cut should meet: the log starts over, and the database is written, many times.
std::int64_t writes(const DiskCalls& calls, std::string_view file, bool at_the_beginning) {
  return std::ranges::count_if(calls, [&](const DiskCall& call) {
    return call.kind == DiskCall::Kind::kWrite && call.path.ends_with(file) &&
           (call.offset == 0 || !at_the_beginning);
  });
}

struct Cuts {
  std::int64_t acknowledged = 0;
  std::vector<std::string> lost;
  std::vector<std::string> broken;
};

using Load = void (*)(const Place&, const Tell&);
struct Options {
  Load load = run_mixed_load;
  Synchronous synchronous = Synchronous::kFull;
  std::string disk_lies_about{};
  LogTaken log = LogTaken::kByTheWriter;
  std::span<const Migration> migrations = tables();
};

// Records the load once, and cuts the power once for each seed; in a process of its own.
void tell_of_cuts(const Options& options, const Seeds& seeds, const Tell& tell) {
  const MemoryFolder folder;
  Place place = Place::file(folder.path());
  place.synchronous = options.synchronous;
  const auto load = [&](const Tell& report) { options.load(place, report); };
  const DiskCalls calls = record(options.disk_lies_about, load, options.log);
  tell({.did = Did::kCalls, .number = std::ssize(reports_before(calls, calls.size()))});
  for (const std::uint64_t seed : seeds) {
    for (const Fault& fault : faults_after_cut(calls, seed, place.owners(), options.migrations)) {
      Report report = Report::fault(replay(seed) + ": " + fault.what);
      report.number = static_cast<std::int64_t>(fault.kind);
      tell(report);
    }
  }
}

Cuts cut_again_and_again(const Options& options, const Seeds& seeds) {
  Victims apart(1, [&](int, const Tell& tell) { tell_of_cuts(options, seeds, tell); });
  EXPECT_FALSE(apart.wait());
  Cuts cuts;
  bool finished = false;
  for (const Report& report : apart.take_reports()) {
    const bool is_loss = static_cast<Fault::Kind>(report.number) == Fault::Kind::kLost;
    if (report.did == Did::kCalls) cuts.acknowledged = report.number;
    if (report.did == Did::kFault) (is_loss ? cuts.lost : cuts.broken).push_back(report.message());
    finished = finished || report.did == Did::kFinished;
  }
  EXPECT_TRUE(finished) << "the process of the cuts died";
  return cuts;
}

void expect_to_take_its_log_again_and_again(LogTaken taken) {
  const int code = test::in_child([&] {
    const MemoryFolder folder;
    const auto load = [&](const Tell& tell) { run_mixed_load(Place::file(folder.path()), tell); };
    const DiskCalls calls = record("", load, taken);
    const bool begins_anew = writes(calls, "plans.db-wal", true) > 6;
    return begins_anew && writes(calls, "plans.db", false) > 50 ? 0 : 1;
  });
  EXPECT_EQ(code, 0);
}

TEST(PowerCutTest, TheLoadTakesItsLogIntoTheDatabaseAgainAndAgain) {
  expect_to_take_its_log_again_and_again(LogTaken::kByTheWriter);
}

TEST(PowerCutTest, AsItDoesBesideTheWriter) {
  expect_to_take_its_log_again_and_again(LogTaken::kBesideTheWriter);
}

TEST(PowerCutTest, NothingAcknowledgedIsLost) {
  const Cuts cuts = cut_again_and_again({}, Seeds(150, 5'000));
  EXPECT_GT(cuts.acknowledged, 50);
  EXPECT_THAT(cuts.lost, IsEmpty());
  EXPECT_THAT(cuts.broken, IsEmpty());
}

TEST(PowerCutTest, NorWhileTheLogIsTakenBesideTheWriter) {
  const Cuts cuts = cut_again_and_again({.log = LogTaken::kBesideTheWriter}, Seeds(150, 5'000));
  EXPECT_GT(cuts.acknowledged, 50);
  EXPECT_THAT(cuts.lost, IsEmpty());
  EXPECT_THAT(cuts.broken, IsEmpty());
}

TEST(PowerCutTest, NorByFirstRunsRewritingAndUpgrades) {
  const Cuts cuts =
      cut_again_and_again({.load = run_script, .migrations = upgraded_tables()}, Seeds(100, 3'000));
  EXPECT_THAT(cuts.lost, IsEmpty());
  EXPECT_THAT(cuts.broken, IsEmpty());
}

// The copy is written under another name first: that file must be on the disk before it is renamed.
TEST(PowerCutTest, ACopyIsCompleteWhenItIsThere) {
  const MemoryFolder folder;
  const Place place = Place::file(folder.path());
  const MemoryFolder after;
  const Place copy = Place::file(after.path());
  Victims apart(1, [&](int, const Tell& tell) {
    const DiskCalls calls = record("", [&](const Tell& report) {
      run_load(place, {.operations = 30}, report);
      const auto clock = clock_of(place, 1);
      const auto engine = place.open(*clock).value();
      engine->backup(folder.path() / "copy.db", [](auto, auto, auto) {}, {}).value();
    });
    base::SeededRandom random(1);
    cut_power(calls, calls.size(), Loss::kAll, random, after.path());
    for (const Report& report : reports_before(calls, calls.size())) tell(report);
  });
  apart.wait();
  std::filesystem::copy(place.owners(), copy.owners());
  std::filesystem::rename(after.path() / "copy.db.partial", after.path() / "plans.db");
  std::filesystem::remove(after.path() / "plans.db-wal");
  const auto reports = apart.take_reports();
  EXPECT_GT(reports.size(), 50U);
  EXPECT_EQ(to_string(inspect_apart(copy, reports, 2)), "");
}

TEST(PowerCutTest, WithSynchronousNormalTheLastUnitsGoAndTheRestIsWhole) {
  const Cuts cuts = cut_again_and_again({.synchronous = Synchronous::kNormal},
                                        Seeds::up_to(test::campaign(60, 1'000)));
  EXPECT_THAT(cuts.lost, Not(IsEmpty())) << "the check finds nothing where something must be gone";
  EXPECT_THAT(cuts.broken, IsEmpty());
}

TEST(PowerCutTest, ADiskThatLiesAboutTheLogIsFoundOut) {
  const Cuts cuts = cut_again_and_again({.disk_lies_about = "-wal"}, Seeds::up_to(60));
  EXPECT_THAT(cuts.lost, Not(IsEmpty()));
}

TEST(PowerCutTest, ADiskThatLiesAboutTheDatabaseIsFoundOut) {
  const Cuts cuts = cut_again_and_again({.disk_lies_about = ".db"}, Seeds::up_to(60));
  EXPECT_THAT(cuts.broken, Not(IsEmpty()));
}

}  // namespace
}  // namespace clever::storage::crash
