#include "storage/leases.h"

#include <atomic>
#include <optional>

#include "base/thread.h"
#include "io/file.h"
#include "storage/keys.h"
#include "storage/plan_test.h"
#include "support/child_process.h"
#include "support/temporary_directory.h"

namespace clever::storage {
namespace {

using base::ErrorCode;
using ::testing::HasSubstr;
using testing::HeldPlan;
using testing::kTtl;
using testing::note;
using namespace std::chrono_literals;

class LeasesTest : public testing::PlanTest {
 protected:
  [[nodiscard]] std::int64_t journal_epoch(const model::PlanId& plan) {
    return journal().state(plan).value().epoch;
  }
  base::Result<Receipt> commit_under(const Lease& lease) {
    UnitOfWork unit;
    unit.add(Leases::guard(lease));
    unit.run("UPDATE lease SET host = host WHERE name = 'x'");
    return engine().commit(std::move(unit));
  }
};

TEST_P(LeasesTest, AFreeLeaseIsTaken) {
  EXPECT_EQ(leases().acquire("x", owner(), kTtl).value(), (Lease{"x", 1}));
}

TEST_P(LeasesTest, AFirstLeaseIsTakenAndGivenUpByTheAppendUnderIt) {
  HeldPlan plan{world().next<model::PlanId>(), {}, {}};
  UnitOfWork before;
  UnitOfWork after;
  plan.lease = Leases::add_first(before, plan.id, owner(), kTtl);
  Leases::add_release(after, plan.lease, owner());
  Append first = make_append(plan, {model::PlanCreated{}.to_event()});
  first.before = before.statements();
  first.also = after.statements();
  ASSERT_TRUE(journal().append(first).ok());
  EXPECT_EQ(journal_epoch(plan.id), 2);
  EXPECT_EQ(journal().append(first).error().code(), ErrorCode::kConflict);
  EXPECT_EQ(journal().load(plan.id)->events.size(), 1U);
  EXPECT_EQ(leases().acquire(plan.id, world().new_owner(), kTtl).value().epoch, 3);
}

TEST_P(LeasesTest, AHeldLeaseIsNot) {
  leases().acquire("x", owner(), kTtl).value();
  const auto other = world().new_owner();
  const auto refused = leases().acquire("x", other, kTtl);
  EXPECT_EQ(refused.error().code(), ErrorCode::kConflict);
  EXPECT_THAT(refused.error().message(), HasSubstr(owner().owner().id.to_string()));
  const auto again = leases().acquire("x", owner(), kTtl);
  EXPECT_EQ(again.error().code(), ErrorCode::kConflict);
  EXPECT_THAT(again.error().message(), HasSubstr("this process itself"));
}

TEST_P(LeasesTest, AnExpiredLeaseIsTakenByTheDatabasesClock) {
  leases().acquire("x", owner(), kTtl).value();
  const auto other = world().new_owner();
  advance(kTtl - 1us);
  EXPECT_FALSE(leases().acquire("x", other, kTtl).ok());
  advance(1us);
  EXPECT_EQ(leases().acquire("x", other, kTtl).value().epoch, 2);
}

TEST_P(LeasesTest, ReportsTheOwnerWithoutTakingTheLease) {
  const auto other = world().new_owner();
  EXPECT_FALSE(leases().is_held("x", other).value());
  const auto lease = leases().acquire("x", owner(), kTtl).value();
  EXPECT_TRUE(leases().is_held("x", other).value());
  advance(kTtl);
  EXPECT_FALSE(leases().is_held("x", other).value());
  {
    const auto dead = world().new_owner();
    leases().acquire("y", dead, kTtl).value();
    EXPECT_TRUE(leases().is_held("y", other).value());
  }
  EXPECT_FALSE(leases().is_held("y", other).value());
}

TEST_P(LeasesTest, ADeadOwnersLeaseIsTakenAtOnce) {
  {
    const auto dying = world().new_owner();
    leases().acquire("x", dying, kTtl).value();
    EXPECT_FALSE(leases().acquire("x", owner(), kTtl).ok()) << "it still lives";
  }
  EXPECT_EQ(leases().acquire("x", owner(), kTtl).value().epoch, 2);
}

TEST_P(LeasesTest, TheLeaseOfAKilledProcessIsTakenAtOnce) {
  const auto dying = world().next<model::OwnerId>();
  const auto lock_file = world().folder() / (dying.to_string() + ".lock");
  test::ChildProcess child([&] {
    const auto held = OwnerLock::acquire(world().folder(), dying);
    return held.ok() && ::pause() == 0 ? 0 : 1;
  });
  while (!io::FileLock::is_held(lock_file).value_or(false)) ::sched_yield();
  const Owner here = owner().owner();
  edit(
      "INSERT INTO lease (name, epoch, owner, host, boot, expires) VALUES ('x', 4, $1, $2, $3, $4)",
      to_blob(dying), here.host, here.boot, std::int64_t{1} << 60U);
  EXPECT_FALSE(leases().acquire("x", owner(), kTtl).ok());
  child.kill_and_wait();
  EXPECT_EQ(leases().acquire("x", owner(), kTtl).value().epoch, 5);
}

TEST_P(LeasesTest, AnOwnerOfAnotherHostOrBootIsLeftToExpiry) {
  const Owner here = owner().owner();
  for (const auto& [host, boot] :
       {std::pair{std::string("elsewhere"), here.boot}, {here.host, std::string("before")}}) {
    edit("DELETE FROM lease");
    std::optional<OwnerLock> gone(world().new_owner());
    edit(
        "INSERT INTO lease (name, epoch, owner, host, boot, expires) "
        "VALUES ('x', 1, $1, $2, $3, $4)",
        to_blob(gone->owner().id), host, boot, std::int64_t{1} << 60U);
    gone.reset();
    EXPECT_EQ(leases().acquire("x", owner(), kTtl).error().code(), ErrorCode::kConflict);
  }
}

TEST_P(LeasesTest, AnOwnerWithoutALockFileIsLeftToExpiry) {
  {
    const auto gone = world().new_owner();
    leases().acquire("x", gone, kTtl).value();
    ASSERT_TRUE(
        std::filesystem::remove(world().folder() / (gone.owner().id.to_string() + ".lock")));
  }
  EXPECT_EQ(leases().acquire("x", owner(), kTtl).error().code(), ErrorCode::kConflict);
  advance(kTtl);
  EXPECT_EQ(leases().acquire("x", owner(), kTtl).value().epoch, 2);
}

TEST_P(LeasesTest, APlanStaysInTheHomeThatHasItsFiles) {
  const test::TemporaryDirectory other_home;
  const auto stranger =
      OwnerLock::acquire(other_home / "owners", world().next<model::OwnerId>()).value();
  const auto plan = world().next<model::PlanId>();
  const auto lease = leases().acquire(plan, owner(), kTtl).value();
  const auto expect_refused = [&](const char* when) {
    for (const auto& refused : {leases().acquire(plan, stranger, kTtl).error(),
                                leases().check_home(plan, stranger).error()}) {
      EXPECT_EQ(refused.code(), ErrorCode::kPermissionDenied) << when;
      EXPECT_THAT(refused.message(),
                  ::testing::AllOf(HasSubstr("in the home " + owner().owner().home.folder),
                                   HasSubstr(" on " + owner().owner().host)));
    }
    EXPECT_TRUE(leases().check_home(plan, owner()).ok());
  };
  expect_refused("held");
  leases().release(lease, owner()).value();
  expect_refused("free");
  const auto again = leases().acquire(plan, world().new_owner(), kTtl).value();
  EXPECT_EQ(again.epoch, lease.epoch + 2);
  advance(kTtl);
  expect_refused("expired");
}

TEST_P(LeasesTest, APlanWithoutAHomeGoesAnywhere) {
  const test::TemporaryDirectory other_home;
  const auto stranger =
      OwnerLock::acquire(other_home / "owners", world().next<model::OwnerId>()).value();
  const auto plan = world().next<model::PlanId>();
  const auto lease = leases().acquire(plan, owner(), kTtl).value();
  leases().release(lease, owner()).value();
  edit("UPDATE lease SET home = '', home_folder = ''");
  EXPECT_TRUE(leases().check_home(plan, stranger).ok());
  EXPECT_TRUE(leases().acquire(plan, stranger, kTtl).ok());
}

TEST_P(LeasesTest, OnlyPlansBelongToAHome) {
  const test::TemporaryDirectory other_home;
  const auto stranger =
      OwnerLock::acquire(other_home / "owners", world().next<model::OwnerId>()).value();
  const auto lease = leases().acquire("x", owner(), kTtl).value();
  leases().release(lease, owner()).value();
  EXPECT_TRUE(leases().acquire("x", stranger, kTtl).ok());
}

TEST_P(LeasesTest, RenewalKeepsAllLeasesAndShowsTheLost) {
  const auto x = leases().acquire("x", owner(), kTtl).value();
  leases().acquire("y", owner(), kTtl).value();
  advance(kTtl);
  const auto other = world().new_owner();
  leases().acquire("y", other, 10 * kTtl).value();
  EXPECT_EQ(leases().renew_all(owner(), kTtl).value(), std::vector{x});
  advance(kTtl - 1us);
  EXPECT_FALSE(leases().acquire("x", other, kTtl).ok()) << "renewed";
}

TEST_P(LeasesTest, AReleasedLeaseIsFreeAndItsEpochIsOver) {
  const auto held = leases().acquire("x", owner(), kTtl).value();
  EXPECT_TRUE(commit_under(held).ok());
  EXPECT_TRUE(leases().release(held, owner()).ok());
  EXPECT_EQ(commit_under(held).error().code(), ErrorCode::kConflict);
  EXPECT_EQ(leases().release(held, owner()).error().code(), ErrorCode::kConflict);
  EXPECT_EQ(leases().acquire("x", world().new_owner(), kTtl).value().epoch, 3);
}

TEST_P(LeasesTest, OnlyTheHolderReleases) {
  const auto held = leases().acquire("x", owner(), kTtl).value();
  EXPECT_EQ(leases().release(held, world().new_owner()).error().code(), ErrorCode::kConflict);
  EXPECT_TRUE(commit_under(held).ok());
}

TEST_P(LeasesTest, AUnitUnderAStaleLeaseIsRefused) {
  const auto held = leases().acquire("x", owner(), kTtl).value();
  advance(kTtl);
  EXPECT_TRUE(commit_under(held).ok()) << "expired, but nobody took it";
  leases().acquire("x", world().new_owner(), kTtl).value();
  EXPECT_EQ(commit_under(held).error().code(), ErrorCode::kConflict);
}

TEST_P(LeasesTest, APlansLeaseFencesItsJournal) {
  const auto plan = world().next<model::PlanId>();
  const auto first = leases().acquire(plan, owner(), kTtl).value();
  EXPECT_EQ(first, (Lease{plan_name(plan), 1}));
  EXPECT_EQ(journal().state(plan).value(), (JournalState{{}, 1}));
  EXPECT_TRUE(leases().release(first, owner()).ok());
  EXPECT_EQ(journal_epoch(plan), 2);
  EXPECT_EQ(leases().acquire(plan, owner(), kTtl).value().epoch, 3);
  EXPECT_EQ(journal_epoch(plan), 3);
}

TEST_P(LeasesTest, NothingIsAppendedAfterARelease) {
  HeldPlan plan = create();
  EXPECT_TRUE(leases().release(plan.lease, owner()).ok());
  EXPECT_EQ(try_append(plan, {note("late")}).error().code(), ErrorCode::kConflict);
}

TEST_P(LeasesTest, ATakeOverKeepsTheJournal) {
  HeldPlan plan = create();
  append(plan, {note("kept")});
  advance(kTtl);
  const auto other = world().new_owner();
  plan.lease = leases().acquire(plan.id, other, kTtl).value();
  append(plan, {note("more")});
  const auto events = journal().read(plan.id, 1, 10).value();
  ASSERT_EQ(events.size(), 3U);
  EXPECT_EQ(events[1].epoch, 1);
  EXPECT_EQ(events[2].epoch, 2);
}

TEST_P(LeasesTest, OfManyTakersOneGetsADeadOwnersLease) {
  leases().acquire("x", world().new_owner(), kTtl).value();
  std::vector<OwnerLock> owners;
  for (int i = 0; i < 8; ++i) owners.push_back(world().new_owner());
  std::atomic<int> taken = 0;  // counts, publishes nothing
  {
    std::vector<std::unique_ptr<base::Thread>> takers;
    for (const OwnerLock& mine : owners) {
      takers.push_back(std::make_unique<base::Thread>("taker", [&](const base::StopToken&) {
        const auto lease = Leases(engine()).acquire("x", mine, kTtl);
        if (lease.ok()) {
          ++taken;
          EXPECT_EQ(lease->epoch, 2);
        } else {
          EXPECT_EQ(lease.error().code(), ErrorCode::kConflict);
        }
      }));
    }
  }
  EXPECT_EQ(taken, 1);
}

TEST_P(LeasesTest, LockFilesStayAsLongAsTheyTellSomething) {
  const auto file_of = [&](const model::OwnerId& id) {
    return world().folder() / (id.to_string() + ".lock");
  };
  model::OwnerId dead;
  {
    const auto dying = world().new_owner();
    dead = dying.owner().id;
    leases().acquire("x", dying, kTtl).value();
  }
  const auto idle = world().new_owner();
  EXPECT_EQ(leases().remove_leftovers(owner()).value(), 0U);
  EXPECT_EQ(io::file_kind(file_of(dead)), io::FileKind::kFile) << "its lease can be taken over";
  leases().acquire("x", owner(), kTtl).value();
  EXPECT_EQ(leases().remove_leftovers(owner()).value(), 1U);
  EXPECT_EQ(io::file_kind(file_of(dead)), io::FileKind::kMissing);
  EXPECT_EQ(io::file_kind(file_of(idle.owner().id)), io::FileKind::kFile) << "it lives";
}

TEST_P(LeasesTest, NamesThatAreNoPlansAreNot) {
  EXPECT_FALSE(plan_of("plan/x"));
  EXPECT_FALSE(plan_of("x"));
  const auto plan = world().next<model::PlanId>();
  EXPECT_EQ(plan_of(plan_name(plan)), plan);
}

CLEVER_ALL_ENGINES(LeasesTest);

}  // namespace
}  // namespace clever::storage
