#include "worker/internal/exchange.h"

#include <algorithm>
#include <tuple>

#include "worker/internal/job_sql.h"
#include "worker/internal/topics.h"
#include "worker/internal/values.h"

namespace clever::worker {
namespace {

using std::chrono::microseconds;
using std::chrono::seconds;

constexpr std::int64_t kSweepLimit = 1000;
// The longest transaction that shortens a lease.
constexpr std::int64_t kSweepMargin = 1'000'000;
constexpr base::Duration kFullSweepInterval = std::chrono::minutes{10};
constexpr std::int64_t kRunning = 1;
constexpr microseconds kAfterError = seconds{1};

Job job_from(const storage::Row& row, const std::string& queue) {
  Job job;
  job.lease = {JobId{row.integer(0)}, AttemptNumber{row.integer(1)}, std::nullopt};
  if (!row.is_null(3)) job.lease.lane = row.integer(3);
  job.queue = queue;
  job.priority = static_cast<Priority>(row.integer(4));
  job.max_attempts = row.integer(6);
  job.effect = internal::id_from<model::EffectId>(row.blob(7));
  job.body = row.blob(8);
  job.enqueued = internal::wall_time(row.integer(9));
  return job;
}

// Sorts the rows of a claim in the order in which the jobs should begin.
std::vector<std::size_t> in_order(const storage::Rows& rows) {
  std::vector<std::size_t> order(rows.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::sort(order, {}, [&](std::size_t i) {
    return std::tuple(rows[i].integer(4), rows[i].integer(5), rows[i].integer(0));
  });
  return order;
}

}  // namespace

JobQueue::Exchange::Exchange(JobQueue& jobs, std::string queue, std::optional<Claim> claim,
                             Done<Exchanged> done)
    : jobs_(jobs), queue_(std::move(queue)), claim_(std::move(claim)), done_(std::move(done)) {}

void JobQueue::Exchange::begin(const Settlement& settlement) {
  if (!settlement.empty()) {
    settle_.emplace(unit_, settlement, jobs_.delays(settlement));
    if (settle_->wakes_others()) unit_.notify(internal::work_topic(queue_));
  }
  if (claim_ && claim_->thorough) {
    add_thorough();
  } else if (claim_) {
    add_claim(false);
    const auto now = jobs_.clock_.now();
    if (jobs_.hints_->state.with([&](auto& s) { return now >= s.sweep_due; })) add_sweep();
  }
  submit();
}

void JobQueue::Exchange::submit() {
  began_ = jobs_.clock_.now();
  jobs_.engine_.submit(std::exchange(unit_, {}), [self = shared_from_this()](auto result) {
    self->received(std::move(result));
  });
}

void JobQueue::Exchange::add_claim(bool thorough) {
  const auto now = jobs_.clock_.now();
  const auto floors = jobs_.hints_->state.with([&](auto& s) {
    const auto& hints = s.queues[queue_];
    depth_ = hints.next(now, thorough);
    return hints.floors(depth_);
  });
  claimed_ = unit_.run(internal::kClaim, queue_,
                       static_cast<std::int64_t>(claim_->limit - result_.jobs.size()),
                       internal::id_or_null(claim_->owner), claim_->lease.count(),
                       storage::IntegerList{{floors.begin(), floors.end()}});
}

void JobQueue::Exchange::add_sweep() {
  const auto now = jobs_.clock_.now();
  const std::int64_t from = jobs_.hints_->state.with([&](auto& s) -> std::int64_t {
    if (now < s.full_sweep_due) return s.swept;
    s.full_sweep_due = now + kFullSweepInterval;
    return 0;
  });
  unit_.run("SELECT clever_now()");
  swept_ = unit_.run(internal::kExpired, from, kSweepLimit);
}

void JobQueue::Exchange::add_next_ready() { next_ready_ = unit_.run(internal::kNextReady, queue_); }

void JobQueue::Exchange::received(base::Result<storage::Receipt> result) {
  if (!result) return failed(std::move(result).error());
  committed_ = true;
  moved_ = false;
  if (settle_) {
    result_.refused = settle_->refused(*result);
    jobs_.hints_->returned(settle_->unblocked(*result));
    settle_.reset();
  }
  const auto outcome = [&](std::optional<std::size_t>& index) -> const storage::Rows& {
    return result->outcomes[*std::exchange(index, std::nullopt)].rows;
  };
  if (unblocked_) jobs_.hints_->returned(internal::returned(outcome(unblocked_)));
  if (claimed_) read_claim(outcome(claimed_));
  const bool looked_deeper = next_ready_.has_value();
  if (next_ready_) read_next_ready(outcome(next_ready_));
  if (swept_) {
    if (auto expired = read_sweep(*result); !expired.ids.empty()) return expire(std::move(expired));
  }
  if (!claim_ || !result_.jobs.empty() || (looked_deeper && !moved_)) return finish();
  add_thorough();
  submit();
}

// Settlements and claims of earlier steps are committed, and must be reported.
void JobQueue::Exchange::failed(base::Error error) {
  if (!committed_) return done_(std::move(error));
  result_.look_again = kAfterError;
  finish();
}

void JobQueue::Exchange::read_claim(const storage::Rows& rows) {
  const auto ended = jobs_.clock_.now();
  jobs_.hints_->state.with([&](auto& s) {
    auto& hints = s.queues[queue_];
    hints.scanned(depth_, began_, ended);
    for (const auto row : rows) {
      hints.claimed(static_cast<Priority>(row.integer(4)), row.integer(5));
    }
  });
  for (const std::size_t i : in_order(rows)) {
    if (rows[i].integer(2) == kRunning) {
      result_.jobs.push_back(job_from(rows[i], queue_));
    } else {
      moved_ = true;
    }
  }
}

JobQueue::Exchange::Expired JobQueue::Exchange::read_sweep(const storage::Receipt& receipt) {
  const std::size_t index = *std::exchange(swept_, std::nullopt);
  const std::int64_t database_now = receipt.outcomes[index - 1].rows[0].integer(0);
  Expired expired;
  for (const auto row : receipt.outcomes[index].rows) {
    expired.ids.push_back(row.integer(0));
    if (!row.is_null(1)) expired.lanes.push_back(row.integer(1));
    expired.jobs.push_back({row.text(2), static_cast<Priority>(row.integer(3)), row.integer(4)});
  }
  if (std::ssize(expired.ids) < kSweepLimit) {
    const auto due = jobs_.clock_.now() + jobs_.options_.sweep_interval;
    jobs_.hints_->state.with([&](auto& s) {
      s.swept = database_now - kSweepMargin;
      s.sweep_due = due;
    });
  }
  return expired;
}

void JobQueue::Exchange::read_next_ready(const storage::Rows& rows) {
  const auto now = jobs_.clock_.now();
  auto wait = jobs_.hints_->state.with([&](auto& s) {
    return std::chrono::ceil<microseconds>(s.queues[queue_].look_again(now, depth_) - now);
  });
  if (!rows[0].is_null(0)) wait = std::min(wait, microseconds{rows[0].integer(0)});
  result_.look_again = std::max(wait, microseconds{1});
}

void JobQueue::Exchange::add_thorough() {
  add_claim(true);
  add_sweep();
  add_next_ready();
}

void JobQueue::Exchange::expire(Expired expired) {
  unit_.run(internal::kExpire, storage::IntegerList{expired.ids});
  unit_.run(internal::kExpireCancelled, storage::IntegerList{expired.ids});
  if (!expired.lanes.empty()) unblocked_ = internal::leave_lanes(unit_, expired.lanes);
  jobs_.hints_->returned(expired.jobs);
  for (const auto& job : expired.jobs) unit_.notify(internal::work_topic(job.queue));
  if (result_.jobs.size() < claim_->limit) add_claim(true);
  submit();
}

void JobQueue::Exchange::finish() {
  if (!result_.jobs.empty()) result_.look_again.reset();
  done_(std::move(result_));
}

}  // namespace clever::worker
