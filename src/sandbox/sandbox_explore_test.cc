// Who may commit, and who gets which store, under every schedule.
#include <gtest/gtest.h>

#include <map>

#include "base/guarded.h"
#include "explore/explore.h"
#include "sandbox/internal/tracked_workspace.h"
#include "sandbox/store_cache.h"
#include "support/every_schedule.h"

namespace clever::sandbox {
namespace {

using explore::Failure;

void holds(const std::function<void(explore::Run&)>& body) {
  test::expect_no_failing_schedule(body);
  EXPECT_NO_FAILURE(explore::explore({.strategy = explore::Strategy::kPct}, body));
}

// One record, changed by comparison only, as the database does it.
class Records final : public SandboxRecords {
 public:
  base::Result<void> create(const WorkspaceRecord& record, const storage::Lease&) override {
    table_.with([&](Table& table) { table.record = record; });
    return {};
  }
  base::Result<void> change(const WorkspaceRecord& seen, const WorkspaceRecord& now,
                            const storage::Lease& lease) override {
    return table_.with([&](Table& table) -> base::Result<void> {
      if (lease.epoch != table.epoch) return base::conflict("stale lease");
      if (table.record.version != seen.version) return base::conflict("changed");
      table.record = now;
      table.record.version = seen.version + 1;
      if (now.state == WorkspaceState::kCommitted) ++table.commits;
      return {};
    });
  }
  base::Result<void> begin_removal(const WorkspaceRecord& seen) override {
    return table_.with([&](Table& table) -> base::Result<void> {
      if (table.record.version != seen.version) return base::conflict("changed");
      table.record.state = WorkspaceState::kRemoving;
      ++table.record.version;
      return {};
    });
  }
  base::Result<void> forget(const WorkspaceId&) override { return {}; }
  base::Result<std::vector<WorkspaceRecord>> list() override {
    return table_.with([](const Table& table) -> base::Result<std::vector<WorkspaceRecord>> {
      return std::vector{table.record};
    });
  }
  base::Result<bool> needs_files(const model::PlanId&, bool) override { return true; }
  base::Result<bool> is_plan(const model::PlanId&) override { return false; }

  // What a manager without comparison does: takes the record for what it was when it looked.
  void overwrite(const WorkspaceRecord& now) {
    table_.with([&](Table& table) {
      table.record = now;
      if (now.state == WorkspaceState::kCommitted) ++table.commits;
    });
  }
  void raise_epoch() {
    table_.with([](Table& table) { ++table.epoch; });
  }
  [[nodiscard]] int commits() const {
    return table_.with([](const Table& table) { return table.commits; });
  }

 private:
  struct Table {
    WorkspaceRecord record;
    std::int64_t epoch = 1;
    int commits = 0;
  };
  base::Guarded<Table> table_;
};

void to_committed(WorkspaceRecord& record) { record.state = WorkspaceState::kCommitted; }

TEST(SandboxExplore, CommittingOnAStaleSnapshotCommitsTwice) {
  EXPECT_FINDS(Failure::kCheck, explore::explore(test::kEverySchedule, [](explore::Run& run) {
                 Records records;
                 for (const char* name : {"one", "other"}) {
                   run.thread(name, [&] {
                     WorkspaceRecord seen = records.list().value()[0];
                     if (seen.state != WorkspaceState::kOpen) return;
                     to_committed(seen);
                     records.overwrite(seen);
                   });
                 }
                 run.join();
                 run.require(records.commits() == 1, "committed twice");
               }));
}

TEST(SandboxExplore, IsCommittedOnce) {
  holds([](explore::Run& run) {
    Records records;
    internal::RecordKeeper keeper(records, {}, {"plan/x", 1});
    base::Guarded<int> succeeded;
    for (const char* name : {"one", "other"}) {
      run.thread(name, [&] {
        if (keeper.change(to_committed).ok()) succeeded.with([](int& count) { ++count; });
      });
    }
    run.join();
    run.require(records.commits() == 1 && succeeded.with([](int count) { return count; }) == 1,
                "not exactly once");
  });
}

TEST(SandboxExplore, AnotherOwnerNeverCommitsTheSame) {
  holds([](explore::Run& run) {
    Records records;
    internal::RecordKeeper keeper(records, {}, {"plan/x", 1});
    bool committed = false;
    run.thread("owner", [&] { committed = keeper.change(to_committed).ok(); });
    run.thread("taker", [&] { records.raise_epoch(); });
    run.join();
    run.require(records.commits() == (committed ? 1 : 0), "the answer is not what happened");
    run.require(!keeper.change([](WorkspaceRecord& record) { record.dirty = true; }).ok(),
                "changed what is no longer its own");
  });
}

TEST(SandboxExplore, ARemovedOneIsNotCommitted) {
  holds([](explore::Run& run) {
    Records records;
    internal::RecordKeeper keeper(records, {}, {"plan/x", 1});
    bool removed = false;
    bool committed = false;
    run.thread("removal", [&] { removed = keeper.begin_removal().ok(); });
    run.thread("commit", [&] { committed = keeper.change(to_committed).ok(); });
    run.join();
    const auto state = records.list().value()[0].state;
    run.require(removed && state == WorkspaceState::kRemoving, "committed after its removal");
    run.require(records.commits() == (committed ? 1 : 0), "the answer is not what happened");
  });
}

class NoStore final : public git::ObjectStore {
 public:
  base::Result<git::ObjectId> put(git::ObjectKind, std::string_view) override { return none(); }
  base::Result<void> sync(const base::StopToken&, base::Deadline) override { return none(); }
  base::Result<bool> contains(const git::ObjectId&) override { return none(); }
  base::Result<Header> header(const git::ObjectId&) override { return none(); }
  base::Result<std::string> read(const git::ObjectId&, git::ObjectKind, std::size_t) override {
    return none();
  }
  base::Result<std::vector<git::TreeEntry>> tree(const git::ObjectId&) override { return none(); }
  base::Result<git::ObjectId> put_tree(std::vector<git::TreeEntry>) override { return none(); }
  base::Result<void> refresh() override { return none(); }
  [[nodiscard]] const std::filesystem::path& folder() const override { return folder_; }

 private:
  static base::Error none() { return base::internal_error("not used"); }
  std::filesystem::path folder_;
};

// Looks, opens, and keeps: three steps.
class NaiveCache {
 public:
  StoreCache::Store open(const StoreCache::Open& open) {
    const auto found = store_.with([](const StoreCache::Store& store) { return store; });
    if (found != nullptr) return found;
    const auto opened = open().value();
    store_.with([&](StoreCache::Store& store) { store = opened; });
    return opened;
  }

 private:
  base::Guarded<StoreCache::Store> store_;
};

TEST(StoreCacheExplore, LookingAndKeepingApartOpensTwice) {
  EXPECT_FINDS(Failure::kCheck, explore::explore(test::kEverySchedule, [](explore::Run& run) {
                 NaiveCache cache;
                 StoreCache::Store got[2];
                 for (const int i : {0, 1}) {
                   run.thread("plan", [&, i] {
                     got[i] = cache.open([]() -> base::Result<StoreCache::Store> {
                       return std::make_shared<NoStore>();
                     });
                   });
                 }
                 run.join();
                 run.require(got[0] == got[1], "two stores of one plan");
               }));
}

TEST(StoreCacheExplore, OneStorePerPlan) {
  holds([](explore::Run& run) {
    StoreCache cache;
    StoreCache::Store got[2];
    for (const int i : {0, 1}) {
      run.thread("plan", [&, i] {
        got[i] = cache
                     .open({},
                           []() -> base::Result<StoreCache::Store> {
                             return std::make_shared<NoStore>();
                           })
                     .value();
      });
    }
    run.join();
    run.require(got[0] != nullptr && got[0] == got[1], "two stores of one plan");
  });
}

TEST(StoreCacheExplore, AFailureIsForTheOneWhoOpened) {
  holds([](explore::Run& run) {
    StoreCache cache;
    base::Guarded<int> openings;
    base::Guarded<int> failures;
    for (const char* name : {"one", "other"}) {
      run.thread(name, [&] {
        const auto opened = cache.open({}, [&]() -> base::Result<StoreCache::Store> {
          const int number = openings.with([](int& count) { return ++count; });
          if (number == 1) return base::unavailable("full");
          return std::make_shared<NoStore>();
        });
        if (!opened.ok()) failures.with([](int& count) { ++count; });
      });
    }
    run.join();
    run.require(failures.with([](int count) { return count; }) == 1, "a failure spread");
  });
}

}  // namespace
}  // namespace clever::sandbox
