// A disk that is full, broken or read-only, from each single change that SQLite makes to it: the
// process goes on to its end, and what it had said done is there on a good disk.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <algorithm>
#include <string>
#include <utility>

#include "base/atomic.h"
#include "crash/memory_folder.h"
#include "crash/script.h"
#include "crash/victims.h"
#include "crash/watched_disk.h"
#include "support/campaign.h"

namespace clever::storage::crash {
namespace {

enum class Trouble : std::uint8_t { kFull, kBroken, kReadOnly };

int code_of(Trouble trouble, DiskStep call) {
  const bool takes_room = call == DiskStep::kWrite || call == DiskStep::kCreate;
  switch (trouble) {
    case Trouble::kFull:
      if (!takes_room) return SQLITE_OK;
      return call == DiskStep::kWrite ? SQLITE_FULL : SQLITE_CANTOPEN;
    case Trouble::kBroken:
    case Trouble::kReadOnly:
      break;
  }
  switch (call) {
    case DiskStep::kCreate:
      return SQLITE_CANTOPEN;
    case DiskStep::kWrite:
      return trouble == Trouble::kReadOnly ? SQLITE_READONLY : SQLITE_IOERR_WRITE;
    case DiskStep::kTruncate:
      return SQLITE_IOERR_TRUNCATE;
    case DiskStep::kSync:
      return trouble == Trouble::kReadOnly ? SQLITE_OK : SQLITE_IOERR_FSYNC;
    case DiskStep::kRemove:
      return SQLITE_IOERR_DELETE;
  }
  return SQLITE_OK;
}

struct DiskTrouble {
  Trouble trouble = Trouble::kFull;
  /// From this change on, counted from 1; 0: never.
  std::int64_t first = 0;
  bool once = false;
};

class FailsFrom final : public DiskObserver {
 public:
  explicit FailsFrom(DiskTrouble trouble) : trouble_(trouble) {}

  void opens(const std::string& /*path*/, bool /*is_new*/, bool /*log*/) override {}
  void writes(const std::string& /*path*/, std::int64_t /*offset*/,
              std::string_view /*bytes*/) override {}
  void truncates(const std::string& /*path*/, std::int64_t /*size*/) override {}
  void syncs(const std::string& /*path*/) override {}
  void synced(const std::string& /*path*/) override {}
  void removes(const std::string& /*path*/, bool /*sync_folder*/) override {}

  int failure(DiskStep call) override {
    const std::int64_t number = calls_.fetch_add(1) + 1;
    const bool fails =
        trouble_.once ? number == trouble_.first : trouble_.first != 0 && number >= trouble_.first;
    return fails ? code_of(trouble_.trouble, call) : SQLITE_OK;
  }
  [[nodiscard]] std::int64_t calls() const { return calls_.load(); }

 private:
  const DiskTrouble trouble_;
  base::Atomic<std::int64_t> calls_;  // publishes nothing else
};

std::vector<Report> live_with(const Place& place, DiskTrouble trouble) {
  Victims victim(1, [&](int, const Tell& tell) {
    FailsFrom observer(trouble);
    const FrequentCheckpoints checkpoints;
    const WatchedDisk disk(observer);
    run_script_on_bad_disk(place, tell);
    tell({.did = Did::kCalls, .number = observer.calls()});
  });
  EXPECT_FALSE(victim.wait()) << "it did not end by itself";
  return victim.take_reports();
}

bool has_finished(const std::vector<Report>& reports) {
  return std::ranges::any_of(reports,
                             [](const Report& report) { return report.did == Did::kFinished; });
}

std::int64_t changes_of_script() {
  const MemoryFolder folder;
  for (const Report& report : live_with(Place::file(folder.path()), {})) {
    if (report.did == Did::kCalls) return report.number;
  }
  return 0;
}

class DiskFaultsTest : public ::testing::TestWithParam<std::pair<Trouble, bool>> {};

TEST_P(DiskFaultsTest, NoneLosesWhatWasAcknowledgedOrKeepsTheProcess) {
  const std::int64_t changes = changes_of_script();
  ASSERT_GT(changes, 100);
  RecordProperty("changes", std::to_string(changes));
  const auto stride = static_cast<std::int64_t>(
      test::campaign(static_cast<std::size_t>(changes) / 12 + 1, /*full=*/1));
  for (std::int64_t change = 1; change <= changes; change += stride) {
    SCOPED_TRACE("change " + std::to_string(change) + " of " + std::to_string(changes));
    const MemoryFolder folder;
    const Place place = Place::file(folder.path());
    const auto [trouble, once] = GetParam();
    const auto reports = live_with(place, {trouble, change, once});
    EXPECT_TRUE(has_finished(reports));
    EXPECT_EQ(to_string(inspect_apart(place, reports, kRunsOfScript, upgraded_tables())), "");
    EXPECT_EQ(leftovers(folder.path()), std::vector<std::string>());
    if (HasFailure()) return;
  }
}

std::string name_of(const ::testing::TestParamInfo<std::pair<Trouble, bool>>& tested) {
  const Trouble trouble = tested.param.first;
  const std::string name = trouble == Trouble::kFull     ? "Full"
                           : trouble == Trouble::kBroken ? "Broken"
                                                         : "ReadOnly";
  return name + (tested.param.second ? "Once" : "");
}

INSTANTIATE_TEST_SUITE_P(Troubles, DiskFaultsTest,
                         ::testing::Values(std::pair(Trouble::kFull, false),
                                           std::pair(Trouble::kFull, true),
                                           std::pair(Trouble::kBroken, false),
                                           std::pair(Trouble::kBroken, true),
                                           std::pair(Trouble::kReadOnly, false)),
                         name_of);

}  // namespace
}  // namespace clever::storage::crash
