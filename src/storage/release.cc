#include "storage/release.h"

#include <algorithm>
#include <chrono>

#include "model/budget_events.h"
#include "storage/journal.h"
#include "storage/leases.h"

namespace clever::storage {
namespace {

constexpr std::chrono::seconds kTtl{30};

base::Result<Reservation> find(Engine& engine, const model::PlanId& plan, std::int64_t sequence,
                               const base::StopToken& stop) {
  CLEVER_ASSIGN(const auto all, Budgets(engine).reservations(stop));
  const auto found = std::ranges::find_if(
      all, [&](const Reservation& one) { return one.plan == plan && one.sequence == sequence; });
  if (found != all.end()) return *found;
  return base::not_found("plan " + plan.to_string() + " has no open reservation " +
                         std::to_string(sequence));
}

base::Result<void> append(Engine& engine, base::Clock& clock, const Lease& lease,
                          const Reservation& reservation, const base::StopToken& stop) {
  Journal journal(engine, clock);
  CLEVER_ASSIGN(const auto state, journal.state(reservation.plan, stop));
  Append append;
  append.plan = reservation.plan;
  append.expected = state.head;
  append.epoch = lease.epoch;
  append.events = {
      model::BudgetReleased{reservation.sequence, reservation.scopes, reservation.cost}.to_event()};
  CLEVER_TRY(journal.append(std::move(append), stop));
  return {};
}

}  // namespace

base::Result<Reservation> release_reservation(Engine& engine, base::Clock& clock,
                                              const OwnerLock& owner, const model::PlanId& plan,
                                              std::int64_t sequence, bool force,
                                              const base::StopToken& stop) {
  CLEVER_ASSIGN(const Reservation reservation, find(engine, plan, sequence, stop));
  if (!reservation.orphaned && !force) {
    return base::conflict("the call of reservation " + std::to_string(sequence) + " of plan " +
                          plan.to_string() + " may still be under way");
  }
  Leases leases(engine);
  CLEVER_ASSIGN(const Lease lease, leases.acquire(plan, owner, kTtl, stop));
  const auto appended = append(engine, clock, lease, reservation, stop);
  const auto released = leases.release(lease, owner, stop);
  CLEVER_TRY(appended);
  CLEVER_TRY(released);
  return reservation;
}

}  // namespace clever::storage
