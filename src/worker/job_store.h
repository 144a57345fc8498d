#pragma once
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "storage/subscription.h"
#include "worker/job.h"

namespace clever::worker {

/// What an exchange brought.
struct Exchanged {
  /// Of the settled ones, those whose lease did not hold: nothing was done for them.
  std::vector<Lost> refused;
  /// Claimed, in the order in which they should begin.
  std::vector<Job> jobs;
  /// If there was nothing to claim: how long until there may be, unless somebody wakes us before.
  std::optional<std::chrono::microseconds> look_again;
};

/// What AsyncWorker needs of a job queue; JobQueue in the program, a model in tests. Thread-safe.
class JobStore {
 public:
  template <class T>
  using Done = std::move_only_function<void(base::Result<T>)>;

  virtual ~JobStore() = default;

  /// Settles attempts and claims the next jobs, together if it can. `done` is called once, perhaps
  /// before this returns, and must not block. After an error nothing was settled and nothing
  /// claimed.
  virtual void exchange(const std::string& queue, Settlement settlement, std::optional<Claim> claim,
                        Done<Exchanged> done) = 0;
  /// Makes leases last from now on; `done` learns which of them no longer hold.
  virtual void renew(std::vector<Lease> leases, const Claim& claim,
                     Done<std::vector<Lost>> done) = 0;
  /// Calls `wake` when there may be jobs in the queue, `cancelled` when one that runs was
  /// cancelled. Neither may block.
  [[nodiscard]] virtual std::vector<std::unique_ptr<storage::Subscription>> subscribe(
      const std::string& queue, std::function<void()> wake, std::function<void()> cancelled) = 0;
};

}  // namespace clever::worker
