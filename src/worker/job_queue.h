#pragma once
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/random.h"
#include "base/result.h"
#include "storage/engine.h"
#include "worker/backoff.h"
#include "worker/job_store.h"

namespace clever::worker {

/// Where a unit of work enqueues a job: pass the receipt to enqueued().
struct EnqueueTicket {
  std::size_t inserted = 0;
  std::optional<std::size_t> existing;
};

/// Adds a job to a unit of work: it is enqueued if and when that is committed. `invalid_argument`
/// for an invalid job (the unit is unchanged).
base::Result<EnqueueTicket> add_enqueue(storage::UnitOfWork& unit, const NewJob& job);
[[nodiscard]] Enqueued enqueued(const storage::Receipt& receipt, const EnqueueTicket& ticket);

/// For a unit of work of a job's attempt: refuses it (`conflict`) unless the lease is valid until
/// the commit.
[[nodiscard]] storage::Statement job_guard(const Lease& lease);
/// Completes the job in a unit of work, which is refused (`conflict`) if the lease was lost.
void add_completion(storage::UnitOfWork& unit, const Lease& lease, const std::string& queue);

enum class CancelOutcome : std::uint8_t {
  kGone,     // it was waiting or dead, and was removed
  kMarked,   // it runs; its worker is notified, and it can no longer complete
  kMissing,  // there is no such job
};

/// Jobs in a database, run at least once each. Every attempt has a lease with an epoch, so that
/// later writes of an attempt that lost its job are refused.
///
///   waiting ──claim──▶ running ──complete──▶ gone
///      ▲  │               │ fail, expiry, release ──▶ waiting (later), or dead if that was
///      │  │ lane taken    │                           the last attempt
///      │  ▼               └ cancel ──▶ cancelled ──any answer of its worker, expiry──▶ gone
///      └ blocked
///
/// Owned by its user; any number may share one database. Thread-safe. The engine, the clock and the
/// source of randomness must outlive it, and it must outlive its exchanges. Errors are the
/// engine's.
class JobQueue final : public JobStore {
 public:
  struct Options {
    Backoff backoff{};
    /// The longest interval between two searches for expired leases.
    std::chrono::microseconds sweep_interval = std::chrono::seconds{5};
  };

  JobQueue(storage::Engine& engine, base::Clock& clock, base::Random& random);
  JobQueue(storage::Engine& engine, base::Clock& clock, base::Random& random, Options options);
  ~JobQueue() override;

  /// All or none; in one transaction.
  base::Result<std::vector<Enqueued>> enqueue(std::span<const NewJob> jobs);
  base::Result<Enqueued> enqueue(const NewJob& job);

  /// The job with this key (NewJob::key); none: there is none any more.
  base::Result<std::optional<JobId>> find(const std::string& key);

  /// The first jobs of the queue by priority, then by the time at which they became ready, then by
  /// number; including those with expired leases. Of jobs with one concurrency key at most one, and
  /// none while another one runs.
  base::Result<std::vector<Job>> claim(const Claim& claim);
  /// The same from several queues: later ones fill the room that earlier ones left.
  base::Result<std::vector<Job>> claim(Claim claim, std::span<const std::string> queues);

  /// Each of the following returns the lost leases, and serves the others.
  base::Result<std::vector<Lost>> heartbeat(const std::vector<Lease>& leases, const Claim& claim);
  base::Result<std::vector<Lost>> settle(const std::string& queue, Settlement settlement);
  base::Result<std::vector<Lost>> complete(const std::string& queue, std::vector<Lease> leases);
  base::Result<std::vector<Lost>> fail(const std::string& queue, Failure failure);
  base::Result<std::vector<Lost>> release(const std::string& queue, std::vector<Lease> leases);

  base::Result<CancelOutcome> cancel(JobId id);

  /// Says in lists what a running job waits for; empty: nothing. Does not wait until it is written,
  /// and does nothing if the lease was lost.
  void note(const Lease& lease, const std::string& text);

  /// Ends the leases of an owner that is known to be dead, before they expire. Returns how many
  /// jobs wait again or are dead now.
  base::Result<std::size_t> expire_owner(const model::OwnerId& owner);

  /// Jobs of the queue: running ones, then the others in the order of claims.
  base::Result<std::vector<JobView>> list(const std::string& queue, std::size_t limit);

  /// Dead jobs of the queue, sorted by number, after the given one.
  base::Result<std::vector<DeadJob>> dead(const std::string& queue, JobId after, std::size_t limit);
  /// Grants dead jobs their original number of attempts; returns how many jobs.
  base::Result<std::size_t> retry_dead(const std::string& queue, const std::vector<JobId>& ids);
  base::Result<std::size_t> delete_dead(const std::vector<JobId>& ids);

  base::Result<Counts> counts(const std::string& queue);
  /// The time until a waiting job is due or a lease expires; none if there is neither.
  base::Result<std::optional<std::chrono::microseconds>> next_ready(const std::string& queue);

  void exchange(const std::string& queue, Settlement settlement, std::optional<Claim> claim,
                Done<Exchanged> done) override;
  void renew(std::vector<Lease> leases, const Claim& claim, Done<std::vector<Lost>> done) override;
  [[nodiscard]] std::vector<std::unique_ptr<storage::Subscription>> subscribe(
      const std::string& queue, std::function<void()> wake,
      std::function<void()> cancelled) override;

 private:
  class Exchange;

  struct Hints;

  std::vector<std::chrono::microseconds> delays(const Settlement& settlement);

  // Constant after construction.
  storage::Engine& engine_;
  base::Clock& clock_;
  base::Random& random_;
  const Options options_;
  // Thread-safe.
  const std::unique_ptr<Hints> hints_;
};

}  // namespace clever::worker
