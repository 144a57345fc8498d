#include "worker/internal/settle.h"

#include <algorithm>
#include <unordered_map>

#include "worker/internal/job_sql.h"

namespace clever::worker::internal {
namespace {

constexpr std::int64_t kCancelledState = 4;

void sort_and_unite(std::vector<std::int64_t>& values) {
  std::ranges::sort(values);
  values.erase(std::ranges::unique(values).begin(), values.end());
}

}  // namespace

Settle::Settle(storage::UnitOfWork& unit, const Settlement& settlement,
               const std::vector<std::chrono::microseconds>& delays) {
  ByAttempt completed;
  ByAttempt released;
  ByAttempt perhaps_cancelled;
  for (const auto& lease : settlement.completed) {
    note(lease);
    completed[lease.attempt].push_back(number(lease.id));
  }
  for (const auto& failure : settlement.failed) {
    note(failure.lease);
    perhaps_cancelled[failure.lease.attempt].push_back(number(failure.lease.id));
  }
  for (const auto& lease : settlement.released) {
    note(lease);
    perhaps_cancelled[lease.attempt].push_back(number(lease.id));
    released[lease.attempt].push_back(number(lease.id));
  }
  run_for_each(unit, kComplete, completed);
  run_for_each(unit, kDropCancelled, perhaps_cancelled);
  run_for_each(unit, kRelease, released);
  returns_jobs_ = !released.empty();
  add_failures(unit, settlement, delays);
  if (!lanes_.empty()) unblocked_ = leave_lanes(unit, lanes_);
}

void Settle::note(const Lease& lease) {
  leases_.push_back(lease);
  if (lease.lane) lanes_.push_back(*lease.lane);
}

void Settle::run_for_each(storage::UnitOfWork& unit, storage::Sql sql, const ByAttempt& jobs) {
  for (const auto& [attempt, ids] : jobs) {
    outcomes_.push_back(unit.run(sql, storage::IntegerList{ids}, number(attempt)));
  }
}

void Settle::add_failures(storage::UnitOfWork& unit, const Settlement& settlement,
                          const std::vector<std::chrono::microseconds>& delays) {
  for (std::size_t i = 0; i < settlement.failed.size(); ++i) {
    const Failure& failure = settlement.failed[i];
    outcomes_.push_back(unit.run(kFail, number(failure.lease.id), number(failure.lease.attempt),
                                 delays[i].count(), failure.error));
  }
}

std::vector<Lost> Settle::refused(const storage::Receipt& receipt) const {
  std::unordered_map<std::int64_t, std::int64_t> states;
  for (const std::size_t outcome : outcomes_) {
    for (const auto row : receipt.outcomes[outcome].rows) {
      states.emplace(row.integer(0), row.integer(1));
    }
  }
  std::vector<Lost> lost;
  for (const auto& lease : leases_) {
    const auto state = states.find(number(lease.id));
    if (state == states.end()) {
      lost.push_back({lease, LostBecause::kStale});
    } else if (state->second == kCancelledState) {
      lost.push_back({lease, LostBecause::kCancelled});
    }
  }
  return lost;
}

std::vector<Returned> Settle::unblocked(const storage::Receipt& receipt) const {
  return unblocked_ ? returned(receipt.outcomes[*unblocked_].rows) : std::vector<Returned>{};
}

std::size_t leave_lanes(storage::UnitOfWork& unit, std::vector<std::int64_t> lanes) {
  // One global order, so that two transactions that leave the same lanes cannot deadlock.
  sort_and_unite(lanes);
  unit.run(kLeaveLanes, storage::IntegerList{lanes});
  return unit.run(kUnblock, storage::IntegerList{std::move(lanes)});
}

std::vector<Returned> returned(const storage::Rows& rows) {
  std::vector<Returned> result;
  for (const auto row : rows) {
    result.push_back({row.text(0), static_cast<Priority>(row.integer(1)), row.integer(2)});
  }
  return result;
}

}  // namespace clever::worker::internal
