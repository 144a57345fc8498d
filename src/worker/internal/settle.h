#pragma once
#include <cstddef>
#include <map>
#include <vector>

#include "storage/unit_of_work.h"
#include "worker/job.h"

namespace clever::worker::internal {

/// A job that waits again, or for the first time, in the middle of its queue.
struct Returned {
  std::string queue;
  Priority priority;
  std::int64_t ready;
};

/// The statements of a settlement, added to a unit, and the meaning of their outcomes. Not
/// thread-safe.
class Settle {
 public:
  /// `delays`: how long the job of each failed attempt waits.
  Settle(storage::UnitOfWork& unit, const Settlement& settlement,
         const std::vector<std::chrono::microseconds>& delays);

  /// The leases that were lost.
  [[nodiscard]] std::vector<Lost> refused(const storage::Receipt& receipt) const;
  /// The jobs that no longer wait for another one with their concurrency key.
  [[nodiscard]] std::vector<Returned> unblocked(const storage::Receipt& receipt) const;
  /// Whether other workers may have more to claim now.
  [[nodiscard]] bool wakes_others() const { return returns_jobs_ || !lanes_.empty(); }

 private:
  using ByAttempt = std::map<AttemptNumber, std::vector<std::int64_t>>;
  void note(const Lease& lease);
  void run_for_each(storage::UnitOfWork& unit, storage::Sql sql, const ByAttempt& jobs);
  void add_failures(storage::UnitOfWork& unit, const Settlement& settlement,
                    const std::vector<std::chrono::microseconds>& delays);

  std::vector<Lease> leases_;
  std::vector<std::int64_t> lanes_;
  std::vector<std::size_t> outcomes_;  // each of which returns (job, state)
  std::optional<std::size_t> unblocked_;
  bool returns_jobs_ = false;
};

/// Releases the next jobs of these lanes; returns the index of the outcome that lists them.
std::size_t leave_lanes(storage::UnitOfWork& unit, std::vector<std::int64_t> lanes);
[[nodiscard]] std::vector<Returned> returned(const storage::Rows& rows);

}  // namespace clever::worker::internal
