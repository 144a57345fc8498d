#pragma once
#include <cstdint>

#include "base/clock.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "model/id.h"
#include "storage/budgets.h"
#include "storage/engine.h"
#include "storage/owner_lock.h"

namespace clever::storage {

/// Releases a reservation whose call has an unknown outcome, as a person decided: appends an event
/// to the plan's journal, under a lease held just for that. `not_found` without such a reservation,
/// `conflict` if its call may still be running (`force` overrides that) or if a process drives the
/// plan.
base::Result<Reservation> release_reservation(Engine& engine, base::Clock& clock,
                                              const OwnerLock& owner, const model::PlanId& plan,
                                              std::int64_t sequence, bool force,
                                              const base::StopToken& stop = {});

}  // namespace clever::storage
