#pragma once
#include <cstddef>
#include <vector>

#include "base/result.h"
#include "model/event.h"
#include "storage/engine.h"
#include "storage/head.h"

namespace clever::storage::internal {

/// The page size of readers of all events of a plan.
inline constexpr std::size_t kEventsAtOnce = 500;

/// The stored events of a plan, without upcasting.
[[nodiscard]] base::Result<std::vector<model::StoredEvent>> read_events(Snapshot& view,
                                                                        const model::PlanId& plan,
                                                                        std::int64_t from,
                                                                        std::size_t limit);

/// Those of all plans behind a position, in the order of their positions.
[[nodiscard]] base::Result<std::vector<model::StoredEvent>> read_all_events(Snapshot& view,
                                                                            std::int64_t after,
                                                                            std::size_t limit);

/// `not_found` if there is no such plan.
[[nodiscard]] base::Result<JournalState> read_state(Snapshot& view, const model::PlanId& plan);

void insert_events(UnitOfWork& unit, std::vector<model::StoredEvent> events);

}  // namespace clever::storage::internal
