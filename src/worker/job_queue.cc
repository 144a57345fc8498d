#include "worker/job_queue.h"

#include <algorithm>
#include <unordered_map>

#include "base/monitor.h"
#include "worker/internal/exchange.h"
#include "worker/internal/hints.h"
#include "worker/internal/job_sql.h"
#include "worker/internal/topics.h"
#include "worker/internal/values.h"

namespace clever::worker {
namespace {

using std::chrono::microseconds;

storage::IntegerList numbers(const std::vector<JobId>& ids) {
  storage::IntegerList list;
  for (const JobId id : ids) list.values.push_back(number(id));
  return list;
}

base::Result<void> validate_claim(const Claim& claim) {
  if (claim.queue.empty()) return base::invalid_argument("a claim needs the name of a queue");
  if (claim.limit == 0) return base::invalid_argument("a claim must be for at least 1 job, not 0");
  if (!claim.owner) return base::invalid_argument("a claim needs an owner");
  if (claim.lease <= microseconds::zero()) {
    return base::invalid_argument("a lease must last longer than 0");
  }
  return {};
}

// Returns leases that were not renewed, or belong to another attempt.
std::vector<Lost> lost_of(const std::vector<Lease>& leases, const storage::Rows& renewed) {
  struct Held {
    std::int64_t attempt;
    bool cancelled;
  };
  std::unordered_map<std::int64_t, Held> held;
  for (const auto row : renewed) held[row.integer(0)] = {row.integer(1), row.integer(2) == 4};
  std::vector<Lost> lost;
  for (const auto& lease : leases) {
    const auto found = held.find(number(lease.id));
    if (found == held.end() || found->second.attempt != number(lease.attempt)) {
      lost.push_back({lease, LostBecause::kStale});
    } else if (found->second.cancelled) {
      lost.push_back({lease, LostBecause::kCancelled});
    }
  }
  return lost;
}

storage::UnitOfWork renewal(const std::vector<Lease>& leases, const Claim& claim) {
  storage::IntegerList ids;
  for (const auto& lease : leases) ids.values.push_back(number(lease.id));
  storage::UnitOfWork unit;
  unit.run(internal::kRenew, std::move(ids), internal::id_or_null(claim.owner),
           claim.lease.count());
  return unit;
}

// Waits for the answer of a call with a callback.
template <class T>
class Answer {
 public:
  JobStore::Done<T> done() {
    return [this](base::Result<T> result) {
      answer_.update([&](auto& answer) { answer.emplace(std::move(result)); });
    };
  }
  base::Result<T> wait() {
    std::optional<base::Result<T>> answer;
    answer_
        .update_when(
            {}, [](const auto& a) { return a.has_value(); },
            [&](auto& a) { answer = std::move(a); })
        .value();
    return *std::move(answer);
  }

 private:
  base::Monitor<std::optional<base::Result<T>>> answer_;
};

}  // namespace

JobQueue::JobQueue(storage::Engine& engine, base::Clock& clock, base::Random& random)
    : JobQueue(engine, clock, random, Options{}) {}

JobQueue::JobQueue(storage::Engine& engine, base::Clock& clock, base::Random& random,
                   Options options)
    : engine_(engine),
      clock_(clock),
      random_(random),
      options_(options),
      hints_(std::make_unique<Hints>()) {}

JobQueue::~JobQueue() = default;

base::Result<std::vector<Enqueued>> JobQueue::enqueue(std::span<const NewJob> jobs) {
  storage::UnitOfWork unit;
  std::vector<EnqueueTicket> tickets;
  for (const auto& job : jobs) {
    CLEVER_ASSIGN(const EnqueueTicket ticket, add_enqueue(unit, job));
    tickets.push_back(ticket);
  }
  CLEVER_ASSIGN(const storage::Receipt receipt, engine_.commit(std::move(unit)));
  std::vector<Enqueued> result;
  for (const auto& ticket : tickets) result.push_back(enqueued(receipt, ticket));
  return result;
}

base::Result<Enqueued> JobQueue::enqueue(const NewJob& job) {
  CLEVER_ASSIGN(const std::vector<Enqueued> result, enqueue(std::span(&job, 1)));
  return result.front();
}

base::Result<std::vector<Job>> JobQueue::claim(const Claim& claim) {
  CLEVER_TRY(validate_claim(claim));
  Answer<Exchanged> answer;
  exchange(claim.queue, {}, claim, answer.done());
  CLEVER_ASSIGN(Exchanged exchanged, answer.wait());
  return std::move(exchanged.jobs);
}

base::Result<std::vector<Job>> JobQueue::claim(Claim claim, std::span<const std::string> queues) {
  std::vector<Job> all;
  const std::size_t limit = claim.limit;
  for (const auto& queue : queues) {
    claim.queue = queue;
    claim.limit = limit - all.size();
    auto jobs = this->claim(claim);
    // Jobs that are claimed already must not get lost if another queue fails.
    if (!jobs && all.empty()) return std::move(jobs).error();
    if (!jobs) break;
    std::ranges::move(*jobs, std::back_inserter(all));
    if (all.size() == limit) break;
  }
  return all;
}

base::Result<std::vector<Lost>> JobQueue::heartbeat(const std::vector<Lease>& leases,
                                                    const Claim& claim) {
  CLEVER_ASSIGN(const storage::Receipt receipt, engine_.commit(renewal(leases, claim)));
  return lost_of(leases, receipt.outcomes[0].rows);
}

base::Result<std::vector<Lost>> JobQueue::settle(const std::string& queue, Settlement settlement) {
  if (settlement.empty()) return std::vector<Lost>{};
  Answer<Exchanged> answer;
  exchange(queue, std::move(settlement), std::nullopt, answer.done());
  CLEVER_ASSIGN(Exchanged exchanged, answer.wait());
  return std::move(exchanged.refused);
}

base::Result<std::vector<Lost>> JobQueue::complete(const std::string& queue,
                                                   std::vector<Lease> leases) {
  return settle(queue, {std::move(leases), {}, {}});
}

base::Result<std::vector<Lost>> JobQueue::fail(const std::string& queue, Failure failure) {
  Settlement settlement;
  settlement.failed.push_back(std::move(failure));
  return settle(queue, std::move(settlement));
}

base::Result<std::vector<Lost>> JobQueue::release(const std::string& queue,
                                                  std::vector<Lease> leases) {
  return settle(queue, {{}, {}, std::move(leases)});
}

base::Result<CancelOutcome> JobQueue::cancel(JobId id) {
  CLEVER_ASSIGN(const storage::Rows found, engine_.query(internal::kLaneAndQueue, number(id)));
  if (found.empty()) return CancelOutcome::kMissing;
  storage::UnitOfWork unit;
  const std::size_t waiting = unit.run(internal::kCancelWaiting, number(id));
  const std::size_t running = unit.run(internal::kCancelRunning, number(id));
  std::optional<std::size_t> unblocked;
  // The job may have been the one that its lane waited for.
  if (!found[0].is_null(0)) unblocked = internal::leave_lanes(unit, {found[0].integer(0)});
  unit.notify(internal::cancel_topic(found[0].text(1)));
  if (unblocked) unit.notify(internal::work_topic(found[0].text(1)));
  CLEVER_ASSIGN(const storage::Receipt receipt, engine_.commit(std::move(unit)));
  if (unblocked) hints_->returned(internal::returned(receipt.outcomes[*unblocked].rows));
  if (receipt.outcomes[waiting].count > 0) return CancelOutcome::kGone;
  return receipt.outcomes[running].count > 0 ? CancelOutcome::kMarked : CancelOutcome::kMissing;
}

void JobQueue::note(const Lease& lease, const std::string& text) {
  storage::UnitOfWork unit;
  unit.run(internal::kNote, number(lease.id), number(lease.attempt), waiting_for(text));
  engine_.submit(std::move(unit), [](const base::Result<storage::Receipt>&) {});
}

base::Result<std::size_t> JobQueue::expire_owner(const model::OwnerId& owner) {
  CLEVER_ASSIGN(const storage::Rows held,
                engine_.query(internal::kOfOwner, internal::id_or_null(owner)));
  if (held.empty()) return 0;
  storage::UnitOfWork unit;
  std::vector<std::int64_t> lanes;
  std::vector<internal::Returned> jobs;
  for (const auto row : held) {
    if (!row.is_null(1)) lanes.push_back(row.integer(1));
    jobs.push_back({row.text(2), static_cast<Priority>(row.integer(3)), row.integer(4)});
    unit.notify(internal::work_topic(row.text(2)));
  }
  const std::size_t ended = unit.run(internal::kEndOwner, internal::id_or_null(owner));
  unit.run(internal::kEndOwnerCancelled, internal::id_or_null(owner));
  std::optional<std::size_t> unblocked;
  if (!lanes.empty()) unblocked = internal::leave_lanes(unit, std::move(lanes));
  // Before the commit wakes a claim, which must not begin behind them.
  hints_->returned(jobs);
  CLEVER_ASSIGN(const storage::Receipt receipt, engine_.commit(std::move(unit)));
  if (unblocked) hints_->returned(internal::returned(receipt.outcomes[*unblocked].rows));
  return receipt.outcomes[ended].count;
}

base::Result<std::vector<JobView>> JobQueue::list(const std::string& queue, std::size_t limit) {
  CLEVER_ASSIGN(const storage::Rows rows, engine_.query(internal::kList, queue, limit));
  std::vector<JobView> jobs;
  for (const auto row : rows) {
    JobView job{.id = JobId{row.integer(0)},
                .body = row.blob(1),
                .priority = static_cast<Priority>(row.integer(2)),
                .state = row.text(3),
                .attempts = row.integer(4),
                .enqueued = internal::wall_time(row.integer(5)),
                .ready = internal::wall_time(row.integer(7))};
    const std::string text = row.text(6);
    const bool waits = text.starts_with(kWaits);
    (waits ? job.waits_for : job.error) = text.substr(waits ? kWaits.size() : 0);
    jobs.push_back(std::move(job));
  }
  return jobs;
}

base::Result<std::vector<DeadJob>> JobQueue::dead(const std::string& queue, JobId after,
                                                  std::size_t limit) {
  CLEVER_ASSIGN(const storage::Rows rows,
                engine_.query(internal::kDead, queue, number(after), limit));
  std::vector<DeadJob> jobs;
  for (const auto row : rows) {
    jobs.push_back({JobId{row.integer(0)}, row.text(1), row.blob(2), row.integer(3), row.text(4),
                    internal::wall_time(row.integer(5))});
  }
  return jobs;
}

base::Result<std::size_t> JobQueue::retry_dead(const std::string& queue,
                                               const std::vector<JobId>& ids) {
  storage::UnitOfWork unit;
  unit.run(internal::kRetryDead, numbers(ids));
  unit.notify(internal::work_topic(queue));
  CLEVER_ASSIGN(const storage::Receipt receipt, engine_.commit(std::move(unit)));
  return receipt.outcomes[0].count;
}

base::Result<std::size_t> JobQueue::delete_dead(const std::vector<JobId>& ids) {
  storage::UnitOfWork unit;
  unit.run(internal::kDeleteDead, numbers(ids));
  CLEVER_ASSIGN(const storage::Receipt receipt, engine_.commit(std::move(unit)));
  return receipt.outcomes[0].count;
}

base::Result<std::optional<JobId>> JobQueue::find(const std::string& key) {
  CLEVER_ASSIGN(const storage::Rows rows, engine_.query(internal::kByKey, key));
  return rows.empty() ? std::optional<JobId>() : std::optional(JobId{rows[0].integer(0)});
}

base::Result<Counts> JobQueue::counts(const std::string& queue) {
  CLEVER_ASSIGN(const storage::Rows rows, engine_.query(internal::kCounts, queue));
  const auto row = rows[0];
  const std::int64_t paused = row.integer(4);
  return Counts{.waiting = row.integer(0),
                .later = row.integer(1),
                .blocked = row.integer(2),
                .running = row.integer(3) - paused,
                .paused = paused,
                .dead = row.integer(5)};
}

base::Result<std::optional<microseconds>> JobQueue::next_ready(const std::string& queue) {
  CLEVER_ASSIGN(const storage::Rows rows, engine_.query(internal::kNextReady, queue));
  if (rows[0].is_null(0)) return std::optional<microseconds>{};
  return std::optional(microseconds{rows[0].integer(0)});
}

void JobQueue::exchange(const std::string& queue, Settlement settlement, std::optional<Claim> claim,
                        Done<Exchanged> done) {
  std::make_shared<Exchange>(*this, queue, std::move(claim), std::move(done))->begin(settlement);
}

void JobQueue::renew(std::vector<Lease> leases, const Claim& claim, Done<std::vector<Lost>> done) {
  auto unit = renewal(leases, claim);
  engine_.submit(std::move(unit), [leases = std::move(leases), done = std::move(done)](
                                      base::Result<storage::Receipt> receipt) mutable {
    if (!receipt) return done(std::move(receipt).error());
    done(lost_of(leases, receipt->outcomes[0].rows));
  });
}

std::vector<std::unique_ptr<storage::Subscription>> JobQueue::subscribe(
    const std::string& queue, std::function<void()> wake, std::function<void()> cancelled) {
  std::vector<std::unique_ptr<storage::Subscription>> subscriptions;
  subscriptions.push_back(engine_.subscribe(internal::work_topic(queue), std::move(wake)));
  subscriptions.push_back(engine_.subscribe(internal::cancel_topic(queue), std::move(cancelled)));
  return subscriptions;
}

std::vector<microseconds> JobQueue::delays(const Settlement& settlement) {
  std::vector<microseconds> delays;
  for (const auto& failure : settlement.failed) {
    delays.push_back(failure.retry_after ? std::max(*failure.retry_after, microseconds::zero())
                                         : options_.backoff.after(failure.lease.attempt, random_));
  }
  return delays;
}

}  // namespace clever::worker
