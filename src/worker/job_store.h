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

/// The result of an exchange.
struct Exchanged {
  /// The settled leases that were lost: nothing was done for them.
  std::vector<Lost> refused;
  /// Claimed, in the order in which they should begin.
  std::vector<Job> jobs;
  /// If there was nothing to claim: how long to wait unless a wake-up comes earlier.
  std::optional<std::chrono::microseconds> look_again;
};

/// What AsyncWorker needs from a job queue; JobQueue in the program, a model in tests. Thread-safe.
class JobStore {
 public:
  template <class T>
  using Done = std::move_only_function<void(base::Result<T>)>;

  virtual ~JobStore() = default;

  /// Settles attempts and claims the next jobs, together if possible. Calls `done` once, perhaps
  /// before it returns; it must not block. After an error nothing was settled or claimed.
  virtual void exchange(const std::string& queue, Settlement settlement, std::optional<Claim> claim,
                        Done<Exchanged> done) = 0;
  /// Extends leases; `done` gets the lost ones.
  virtual void renew(std::vector<Lease> leases, const Claim& claim,
                     Done<std::vector<Lost>> done) = 0;
  /// Calls `wake` when the queue may have jobs, `cancelled` when a running one was cancelled.
  /// Neither may block.
  [[nodiscard]] virtual std::vector<std::unique_ptr<storage::Subscription>> subscribe(
      const std::string& queue, std::function<void()> wake, std::function<void()> cancelled) = 0;
};

}  // namespace clever::worker
