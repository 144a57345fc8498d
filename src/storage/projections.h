#pragma once
#include <cstdint>

#include "base/result.h"
#include "model/event.h"
#include "storage/unit_of_work.h"

namespace clever::storage {

/// Why an event is projected: it is being appended, or the rows of its plan are rebuilt. A rebuild
/// leaves shared rows alone: the sums of a budget, and jobs.
enum class Projecting : std::uint8_t { kAppend, kRebuild };

/// Adds to `unit` the event's effect on the tables beside the journal: plan, decision, budget,
/// effect, job, changeset. Takes the event in its newest version. A pure function; other kinds have
/// no effect.
///
/// `invalid_argument` for data that does not match the kind. The statements refuse the unit with
/// `conflict` (an effect settled twice, a change after the seal), `resource_exhausted` (a cap),
/// `already_exists` (an id used twice), `invalid_argument` (an event of a plan that was not
/// created).
base::Result<void> project(const model::StoredEvent& event, Projecting why, UnitOfWork& unit);

}  // namespace clever::storage
