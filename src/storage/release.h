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

/// Lets go of a reservation whose call nobody knows the end of, as a person decided: an event in
/// the plan's journal, under a lease that is held just for it. `not_found` if there is no such
/// reservation, `conflict` if its call may still be under way (`force` ends that doubt) or if
/// somebody drives the plan.
base::Result<Reservation> release_reservation(Engine& engine, base::Clock& clock,
                                              const OwnerLock& owner, const model::PlanId& plan,
                                              std::int64_t sequence, bool force,
                                              const base::StopToken& stop = {});

}  // namespace clever::storage
