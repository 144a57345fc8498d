#pragma once
#include <cstdint>

#include "base/result.h"
#include "model/event.h"
#include "storage/unit_of_work.h"

namespace clever::storage {

/// Why an event is turned into rows: because it is being appended, or because the rows of its plan
/// are made anew. In the latter case what belongs to no single plan is left alone: the sums of a
/// budget, and jobs.
enum class Projecting : std::uint8_t { kAppend, kRebuild };

/// Adds to `unit` what the event, in its newest version, means for the tables beside the journal:
/// plan, decision, budget, effect, job, changeset. A pure function; events of other kinds mean
/// nothing.
///
/// `invalid_argument` for data that is not what the kind promises. The statements refuse the unit
/// with `conflict` (an effect settled twice, a change after the seal), `resource_exhausted` (a
/// cap), `already_exists` (an id used twice), `invalid_argument` (an event of a plan that was not
/// created).
base::Result<void> project(const model::StoredEvent& event, Projecting why, UnitOfWork& unit);

}  // namespace clever::storage
