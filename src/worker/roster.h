#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/stop_token.h"
#include "model/id.h"
#include "model/time.h"
#include "storage/engine.h"
#include "storage/owner_lock.h"
#include "worker/job_queue.h"

namespace clever::worker {

/// A process that takes jobs. A value.
struct WorkerRecord {
  /// The owner of its jobs' leases, and where it runs.
  storage::Owner owner{};
  std::string queue{};
  /// Jobs that it runs at once.
  std::int64_t slots = 0;
  std::int64_t process = 0;
  /// A digest of the settings that decide how it works: equal exactly if it would do what the
  /// process that compares would.
  std::string settings{};
  model::Timestamp started{};
  /// When it was last heard of.
  model::Timestamp seen{};
  /// It was asked to take no more jobs.
  bool draining = false;
};

/// The workers of a database. Jobs of one that died are given back as soon as another looks.
///
/// Used by one thread at a time. What it is made of must outlive it.
class Roster {
 public:
  /// The topic that is notified when workers come, go or are asked to drain.
  static constexpr std::string_view kTopic = "workers";

  Roster(storage::Engine& engine, const storage::OwnerLock& owner)
      : engine_(engine), owner_(owner) {}

  /// Writes down that the owner takes jobs; times are the database's.
  base::Result<void> enter(const WorkerRecord& worker, const base::StopToken& stop = {});
  /// Says that it is still there, with settings that may have changed. True if it was asked to
  /// drain.
  base::Result<bool> stay(const std::string& settings, const base::StopToken& stop = {});
  base::Result<void> leave(const base::StopToken& stop = {});

  /// Those that live, the oldest first. One on another host counts as long as it was heard of
  /// within half a minute.
  [[nodiscard]] base::Result<std::vector<WorkerRecord>> list(const base::StopToken& stop = {});
  /// Asks a worker to take no more jobs and to end with those it has; a null id: all of them. How
  /// many were asked.
  base::Result<std::size_t> drain(const model::OwnerId& worker, const base::StopToken& stop = {});
  /// Removes workers that died and gives their jobs back. How many jobs.
  base::Result<std::size_t> bury(JobQueue& jobs, const base::StopToken& stop = {});

 private:
  struct Found {
    WorkerRecord worker;
    storage::OwnerLock::Life life = storage::OwnerLock::Life::kUnknown;
    bool is_fresh = false;
  };
  base::Result<std::vector<Found>> all(const base::StopToken& stop);

  storage::Engine& engine_;
  const storage::OwnerLock& owner_;
};

}  // namespace clever::worker
