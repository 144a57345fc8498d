// kill -9 before each single change that SQLite makes to a disk.
#include <gtest/gtest.h>

#include <csignal>
#include <string>

#include "base/atomic.h"
#include "crash/memory_folder.h"
#include "crash/script.h"
#include "crash/victims.h"
#include "crash/watched_disk.h"
#include "support/campaign.h"

namespace clever::storage::crash {
namespace {

/// Kills its process before the so-many-th change.
class DiesBefore final : public DiskObserver {
 public:
  explicit DiesBefore(std::int64_t last) : last_(last) {}

  void opens(const std::string& /*path*/, bool is_new, bool /*log*/) override {
    if (is_new) count();
  }
  void writes(const std::string& /*path*/, std::int64_t /*offset*/,
              std::string_view /*bytes*/) override {
    count();
  }
  void truncates(const std::string& /*path*/, std::int64_t /*size*/) override { count(); }
  void syncs(const std::string& /*path*/) override { count(); }
  void synced(const std::string& /*path*/) override {}
  void removes(const std::string& /*path*/, bool /*sync_folder*/) override { count(); }

  [[nodiscard]] std::int64_t calls() const { return calls_.load(); }

 private:
  void count() {
    if (calls_.fetch_add(1) + 1 == last_) std::raise(SIGKILL);
  }

  const std::int64_t last_;
  base::Atomic<std::int64_t> calls_;  // publishes nothing else
};

struct Death {
  bool died = false;
  std::vector<Report> reports;
};

Death die_before(const Place& place, std::int64_t call) {
  Victims victim(1, [&](int, const Tell& tell) {
    DiesBefore observer(call);
    const FrequentCheckpoints checkpoints;
    const WatchedDisk disk(observer);
    run_script(place, tell);
    tell({.did = Did::kCalls, .number = observer.calls()});
  });
  Death death;
  death.died = victim.wait();
  death.reports = victim.take_reports();
  return death;
}

std::int64_t calls_of_script() {
  const MemoryFolder folder;
  const Death life = die_before(Place::file(folder.path()), 0);
  for (const Report& report : life.reports) {
    if (report.did == Did::kCalls) return report.number;
  }
  return 0;
}

TEST(SystemCallsTest, NoDeathBetweenTwoOfThemLosesAnything) {
  const std::int64_t calls = calls_of_script();
  ASSERT_GT(calls, 100);
  ::testing::Test::RecordProperty("calls", std::to_string(calls));
  const auto stride = static_cast<std::int64_t>(
      test::campaign(static_cast<std::size_t>(calls) / 80 + 1, /*full=*/1));
  for (std::int64_t call = stride; call <= calls; call += stride) {
    SCOPED_TRACE("before call " + std::to_string(call) + " of " + std::to_string(calls));
    const MemoryFolder folder;
    const Place place = Place::file(folder.path());
    const Death death = die_before(place, call);
    EXPECT_TRUE(death.died);
    EXPECT_EQ(to_string(inspect_apart(place, death.reports, kRunsOfScript, upgraded_tables())), "");
    EXPECT_EQ(leftovers(folder.path()), std::vector<std::string>());
  }
}

}  // namespace
}  // namespace clever::storage::crash
