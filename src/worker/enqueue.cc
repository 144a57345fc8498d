#include <algorithm>

#include "base/sha256.h"
#include "worker/internal/job_sql.h"
#include "worker/internal/settle.h"
#include "worker/internal/topics.h"
#include "worker/internal/values.h"
#include "worker/job_queue.h"

namespace clever::worker {
namespace {

// Lanes are per queue: a job must never wait for one in a queue without a worker.
std::int64_t lane_of(const std::string& queue, const std::string& concurrency) {
  std::string text = queue;
  text += '\0';
  text += concurrency;
  std::uint64_t lane = 0;
  const auto digest = base::sha256(text);
  for (std::size_t i = 0; i < sizeof(lane); ++i) lane = lane << 8U | digest.bytes()[i];
  return static_cast<std::int64_t>(lane);
}

storage::Value text_or_null(const std::optional<std::string>& text) {
  return text ? storage::Value(*text) : storage::Value(storage::Null{});
}

base::Result<void> validate_job(const NewJob& job) {
  if (job.queue.empty()) return base::invalid_argument("a job needs the name of a queue");
  if (job.max_attempts < 1) {
    return base::invalid_argument("a job needs at least 1 attempt, not " +
                                  std::to_string(job.max_attempts));
  }
  return {};
}

}  // namespace

base::Result<EnqueueTicket> add_enqueue(storage::UnitOfWork& unit, const NewJob& job) {
  CLEVER_TRY(validate_job(job));
  const storage::Value lane = job.concurrency ? storage::Value(lane_of(job.queue, *job.concurrency))
                                              : storage::Value(storage::Null{});
  const std::int64_t not_before = job.not_before ? internal::microseconds_of(*job.not_before) : 0;
  EnqueueTicket ticket;
  ticket.inserted = unit.run(internal::kEnqueue, job.queue, text_or_null(job.key),
                             static_cast<std::int64_t>(job.priority), not_before, job.max_attempts,
                             text_or_null(job.concurrency), lane, internal::id_or_null(job.effect),
                             storage::Blob{job.body}, text_or_null(job.share));
  // Sees the job that prevented the insertion: the insertion waited for its commit.
  if (job.key) ticket.existing = unit.run(internal::kByKey, *job.key);
  unit.notify(internal::work_topic(job.queue));
  return ticket;
}

Enqueued enqueued(const storage::Receipt& receipt, const EnqueueTicket& ticket) {
  const auto& inserted = receipt.outcomes[ticket.inserted].rows;
  if (!inserted.empty()) return {JobId{inserted[0].integer(0)}, false};
  const auto& existing = receipt.outcomes[*ticket.existing].rows;
  if (existing.empty()) return {std::nullopt, true};
  return {JobId{existing[0].integer(0)}, true};
}

storage::Statement job_guard(const Lease& lease) {
  auto guard = storage::statement(internal::kGuard, number(lease.id), number(lease.attempt));
  guard.expectation = storage::Expectation{
      1, {base::ErrorCode::kConflict, "the lease of the job's attempt was lost"}};
  return guard;
}

void add_completion(storage::UnitOfWork& unit, const Lease& lease, const std::string& queue) {
  unit.require(1, {base::ErrorCode::kConflict, "the lease of the job's attempt was lost"},
               internal::kCompleteOne, number(lease.id), number(lease.attempt));
  if (!lease.lane) return;
  internal::leave_lanes(unit, {*lease.lane});
  unit.notify(internal::work_topic(queue));
}

}  // namespace clever::worker
