// Report #7120 with kill -9: what record() told of is there, in its own changeset, without a gap.
#include <gtest/gtest.h>
#include <unistd.h>

#include <map>

#include "base/random.h"
#include "changesets/plan_in_database.h"
#include "io/file_descriptor.h"
#include "storage/changesets.h"
#include "storage/plan_test.h"
#include "storage/sqlite/sqlite_engine.h"
#include "support/campaign.h"
#include "support/child_process.h"
#include "support/together.h"

namespace clever::engine {
namespace {

constexpr int kVictims = 4;

// What a node was told: its changeset, by the plan's number, and how many entries.
struct Reported {
  std::uint8_t changeset[16];
  std::int32_t entries;
};

std::unique_ptr<storage::Engine> open(const std::filesystem::path& folder, base::Clock& clock) {
  return storage::open_sqlite(storage::DatabaseUrl::file(folder / "plans.db"), {}, clock).value();
}

void work(const Changeset& changeset, int pipe) {
  Reported reported{};
  const auto& bytes = changeset.id().ulid().bytes();
  std::copy(bytes.begin(), bytes.end(), reported.changeset);
  for (std::int32_t number = 0; number < 1'000'000; ++number) {
    reported.entries = number;
    (void)!::write(pipe, &reported, sizeof(reported));
    sim::record(changeset, {test::new_file(std::to_string(number + 1))}).value();
  }
}

int victim(const std::filesystem::path& folder, int pipe, std::uint64_t seed) {
  base::SystemClock clock;
  base::SeededRandom random(seed);
  base::UlidGenerator ids(clock, random);
  const auto engine = open(folder, clock);
  const auto owner =
      storage::OwnerLock::acquire(folder / "owners", model::OwnerId(ids.next())).value();
  const model::PlanId id(ids.next());
  const auto lease = storage::Leases(*engine).acquire(id, owner, std::chrono::minutes(1)).value();
  storage::Append created{.plan = id, .epoch = lease.epoch};
  created.events.push_back(model::PlanCreated{}.to_event());
  storage::Journal(*engine, clock).append(std::move(created)).value();
  test::PlanInDatabase plan(*engine, clock, owner, ids, lease);
  test::together(kVictims, [&](int /*node*/) { work(plan.context().start_changeset({}), pipe); });
  return 0;
}

TEST(ChangesetKill, WhatWasToldIsThereWithoutAGap) {
  const test::TemporaryDirectory folder;
  base::SeededRandom random(7);
  std::map<model::ChangesetId, std::int32_t> reported;
  const std::size_t deaths = test::campaign(8, 200);
  for (std::size_t death = 0; death < deaths; ++death) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const io::FileDescriptor out(ends[0]);
    io::FileDescriptor in(ends[1]);
    test::ChildProcess child([&] { return victim(folder.path(), ends[1], death + 1); });
    in.reset();
    Reported one{};
    const auto next = [&] { return ::read(ends[0], &one, sizeof(one)) == sizeof(one); };
    const auto take = [&] {
      base::Ulid::Bytes bytes;
      std::copy(std::begin(one.changeset), std::end(one.changeset), bytes.begin());
      reported[model::ChangesetId(base::Ulid(bytes))] = one.entries;
    };
    for (std::uint64_t i = random.below(60) + 1; i > 0 && next(); --i) take();
    child.kill_and_wait();
    while (next()) take();
  }
  base::SystemClock clock;
  const auto engine = open(folder.path(), clock);
  storage::Changesets changesets(*engine);
  EXPECT_GE(reported.size(), deaths);
  for (const auto& [id, count] : reported) {
    const auto entries = changesets.entries(id).value();
    EXPECT_GE(std::ssize(entries), count);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      EXPECT_EQ(entries[i].sequence, static_cast<std::int64_t>(i) + 1);
      EXPECT_EQ(entries[i].path, std::to_string(i + 1));
    }
  }
}

}  // namespace
}  // namespace clever::engine
