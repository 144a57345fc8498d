#include <gtest/gtest.h>

#include <set>
#include <string>

#include "base/guarded.h"
#include "base/monitor.h"
#include "explore/explore.h"
#include "git/internal/group_commit.h"
#include "git/object_store.h"

namespace clever::git::internal {
namespace {

using explore::Failure;
using explore::Run;
using explore::Strategy;

constexpr auto kWrittenTooLate =
    "sync() returned before an object that was put before it was written";

std::shared_ptr<const StoredObject> blob_to_put(const std::string& content) {
  return store_form(object_id_of(ObjectKind::kBlob, content), ObjectKind::kBlob, content);
}

// What survives a loss of power.
class Disk {
 public:
  void write(const ObjectId& id) {
    ids_.with([&](std::set<ObjectId>& ids) { ids.insert(id); });
  }
  [[nodiscard]] bool has(const ObjectId& id) const {
    return ids_.with([&](const std::set<ObjectId>& ids) { return ids.contains(id); });
  }

 private:
  base::Guarded<std::set<ObjectId>> ids_;
};

// Marks an object as known before it is in the queue: no sync covers a caller that finds it known.
class MarksTooEarly {
 public:
  explicit MarksTooEarly(Disk& disk) : disk_(disk) {}

  void add(const ObjectId& id) {
    const bool is_new =
        known_.with([&](std::set<ObjectId>& known) { return known.insert(id).second; });
    if (is_new) queue_.with([&](std::set<ObjectId>& queue) { queue.insert(id); });
  }
  void sync() {
    for (const ObjectId& id :
         queue_.with([](std::set<ObjectId>& q) { return std::exchange(q, {}); })) {
      disk_.write(id);
    }
  }

 private:
  Disk& disk_;
  base::Guarded<std::set<ObjectId>> known_;
  base::Guarded<std::set<ObjectId>> queue_;
};

// Waits for the write that is going on, whatever is in it.
class WaitsForAnyWrite {
 public:
  explicit WaitsForAnyWrite(Disk& disk) : disk_(disk) {}

  void add(const ObjectId& id) {
    queue_.with([&](std::set<ObjectId>& queue) { queue.insert(id); });
  }
  void sync() {
    const bool mine = writing_.update([](bool& writing) { return !std::exchange(writing, true); });
    if (!mine) {
      writing_.wait({}, base::Deadline::never(), [](bool writing) { return !writing; }).value();
      return;
    }
    for (const ObjectId& id :
         queue_.with([](std::set<ObjectId>& q) { return std::exchange(q, {}); })) {
      disk_.write(id);
    }
    writing_.update([](bool& writing) { writing = false; });
  }

 private:
  Disk& disk_;
  base::Guarded<std::set<ObjectId>> queue_;
  base::Monitor<bool> writing_;
};

template <class Naive>
void sync_naively(Run& run) {
  Disk disk;
  Naive commit(disk);
  const ObjectId shared = object_id_of(ObjectKind::kBlob, "shared");
  for (const char* name : {"first", "second"}) {
    run.thread(name, [&run, &disk, &commit, shared, name] {
      const ObjectId own = object_id_of(ObjectKind::kBlob, name);
      commit.add(shared);
      commit.add(own);
      commit.sync();
      run.require(disk.has(shared) && disk.has(own), kWrittenTooLate);
    });
  }
  run.join();
}

GroupCommit::Writer writer_to(Disk& disk) {
  return [&disk](const Batch& batch) -> base::Result<std::vector<LogPlace>> {
    std::vector<LogPlace> places;
    for (const auto& stored : batch) {
      disk.write(stored->facts.id);
      places.push_back({.facts = stored->facts, .own = true});
    }
    return places;
  };
}

void sync_commits(Run& run) {
  Disk disk;
  GroupCommit commit(writer_to(disk));
  for (const char* name : {"first", "second", "third"}) {
    run.thread(name, [&run, &disk, &commit, name] {
      const auto shared = blob_to_put("shared");
      const auto own = blob_to_put(name);
      commit.add(shared);
      commit.add(own);
      run.require(commit.sync({}, base::Deadline::never()).ok(), "sync() failed");
      run.require(disk.has(shared->facts.id) && disk.has(own->facts.id), kWrittenTooLate);
      run.require(commit.find(own->facts.id).has_value(), "a written object is not found");
    });
  }
  run.join();
}

// The first write fails: no caller may learn that its objects were written, and nothing is lost.
void failing(Run& run) {
  Disk disk;
  base::Guarded<int> writes;
  GroupCommit commit([&](const Batch& batch) -> base::Result<std::vector<LogPlace>> {
    if (writes.with([](int& count) { return count++; }) == 0) return base::unavailable("full");
    return writer_to(disk)(batch);
  });
  for (const char* name : {"first", "second"}) {
    run.thread(name, [&run, &disk, &commit, name] {
      const auto own = blob_to_put(name);
      commit.add(own);
      const bool synced = commit.sync({}, base::Deadline::never()).ok();
      run.require(!synced || disk.has(own->facts.id), kWrittenTooLate);
      run.require(commit.find(own->facts.id).has_value(), "an object is gone");
      run.require(synced || commit.is_kept(own->facts.id), "an object is forgotten");
    });
  }
  run.join();
  run.require(commit.sync({}, base::Deadline::never()).ok(), "a later sync() failed");
  for (const char* name : {"first", "second"}) {
    run.require(disk.has(object_id_of(ObjectKind::kBlob, name)), "an object was never written");
  }
}

TEST(GroupCommitExplore, MarkingTooEarlyIsFound) {
  EXPECT_FINDS(Failure::kCheck,
               explore::explore({.strategy = Strategy::kExhaustive}, sync_naively<MarksTooEarly>));
}

TEST(GroupCommitExplore, WaitingForAnyWriteIsFound) {
  EXPECT_FINDS(Failure::kCheck, explore::explore({.strategy = Strategy::kExhaustive},
                                                 sync_naively<WaitsForAnyWrite>));
}

TEST(GroupCommitExplore, SyncedDataIsWritten) {
  for (const auto strategy : {Strategy::kExhaustive, Strategy::kRandom, Strategy::kPct}) {
    EXPECT_NO_FAILURE(explore::explore({.strategy = strategy, .schedules = 1000}, sync_commits));
  }
}

TEST(GroupCommitExplore, AFailedWriteIsReportedAndLosesNothing) {
  for (const auto strategy : {Strategy::kExhaustive, Strategy::kRandom, Strategy::kPct}) {
    EXPECT_NO_FAILURE(explore::explore({.strategy = strategy, .schedules = 1000}, failing));
  }
}

}  // namespace
}  // namespace clever::git::internal
