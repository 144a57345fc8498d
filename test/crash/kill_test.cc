// kill -9 at a random moment: when a call has said done, it is done.
#include <gtest/gtest.h>

#include <optional>

#include "base/random.h"
#include "crash/load.h"
#include "crash/memory_folder.h"
#include "crash/seeds.h"
#include "crash/victims.h"
#include "crash/watched_disk.h"
#include "support/temporary_directory.h"

namespace clever::storage::crash {
namespace {

// A database lives through so many deaths: states pile up, and looking at all of it stays quick.
constexpr int kDeathsOfADatabase = 25;

void listen_a_while(Victims& victims, base::Random& random) {
  if (random.below(2) == 0) {
    victims.listen(random.below(80), Victims::kForever);
  } else {
    victims.listen(SIZE_MAX, std::chrono::microseconds{random.below(30'000)});
  }
}

class KillTest : public ::testing::Test {
 protected:
  // Kills `processes` loads of `threads` each, again and again, on one database.
  void kill_again_and_again(const Place& place, std::uint64_t seed, int deaths, int processes,
                            int threads) {
    SCOPED_TRACE(replay(seed));
    base::SeededRandom random(seed);
    std::vector<Report> reports;
    for (int run = 0; run < deaths && !HasFailure(); ++run) {
      SCOPED_TRACE("run " + std::to_string(run));
      Victims victims(processes, [&](int process, const Tell& tell) {
        LoadOptions options{.seed = seed * 1000 + static_cast<std::uint64_t>(run), .run = run};
        options.process = process;
        options.threads = threads;
        // Every other time the log goes into the database again and again.
        std::optional<FrequentCheckpoints> checkpoints;
        if (run % 2 == 1) checkpoints.emplace();
        run_load(place, options, tell);
      });
      listen_a_while(victims, random);
      // One dies alone first, the others go on.
      if (processes > 1) {
        victims.kill(random.below(static_cast<std::uint64_t>(processes)));
        listen_a_while(victims, random);
      }
      victims.kill_all();
      for (Report& report : victims.take_reports()) reports.push_back(report);
      EXPECT_EQ(to_string(inspect_apart(place, reports, run)), "");
      ++kills_;
    }
    acknowledged_ += reports.size();
  }
  void TearDown() override {
    RecordProperty("kills", std::to_string(kills_));
    RecordProperty("reports", std::to_string(acknowledged_));
    EXPECT_GT(acknowledged_, kills_) << "the load has hardly done anything";
  }

  std::size_t kills_ = 0;
  std::size_t acknowledged_ = 0;
};

TEST_F(KillTest, NothingAcknowledgedIsLostRepeatedOrHalfDone) {
  const int deaths = static_cast<int>(test::campaign(15, kDeathsOfADatabase));
  for (const std::uint64_t seed : Seeds(2, 40)) {
    const MemoryFolder folder;
    kill_again_and_again(Place::file(folder.path()), seed, deaths, 1, 4);
  }
}

// Where syncing takes its time, deaths come at other moments.
TEST_F(KillTest, NorOnARealDisk) {
  for (const std::uint64_t seed : Seeds(1, 10)) {
    const test::TemporaryDirectory folder;
    kill_again_and_again(Place::file(folder.path()), seed, 10, 1, 4);
  }
}

TEST_F(KillTest, SeveralProcessesOnOneFileDieOneByOne) {
  const int deaths = static_cast<int>(test::campaign(10, kDeathsOfADatabase));
  for (const std::uint64_t seed : Seeds(1, 10)) {
    const MemoryFolder folder;
    kill_again_and_again(Place::file(folder.path()), seed, deaths, 3, 2);
  }
}

}  // namespace
}  // namespace clever::storage::crash
