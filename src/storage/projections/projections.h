#pragma once
#include "storage/projections.h"

// One function per kind of event; projections.cc chooses.
namespace clever::storage::projections {

base::Result<void> plan_created(const model::StoredEvent& event, Projecting why, UnitOfWork& unit);
base::Result<void> plan_moved(const model::StoredEvent& event, Projecting why, UnitOfWork& unit);
base::Result<void> decision_recorded(const model::StoredEvent& event, Projecting why,
                                     UnitOfWork& unit);
base::Result<void> decision_superseded(const model::StoredEvent& event, Projecting why,
                                       UnitOfWork& unit);
base::Result<void> work_restored(const model::StoredEvent& event, Projecting why, UnitOfWork& unit);
base::Result<void> budget_reserved(const model::StoredEvent& event, Projecting why,
                                   UnitOfWork& unit);
base::Result<void> budget_settled(const model::StoredEvent& event, Projecting why,
                                  UnitOfWork& unit);
base::Result<void> budget_released(const model::StoredEvent& event, Projecting why,
                                   UnitOfWork& unit);
base::Result<void> effect_requested(const model::StoredEvent& event, Projecting why,
                                    UnitOfWork& unit);
base::Result<void> effect_settled(const model::StoredEvent& event, Projecting why,
                                  UnitOfWork& unit);
base::Result<void> changeset_started(const model::StoredEvent& event, Projecting why,
                                     UnitOfWork& unit);
base::Result<void> changes_recorded(const model::StoredEvent& event, Projecting why,
                                    UnitOfWork& unit);
base::Result<void> changeset_sealed(const model::StoredEvent& event, Projecting why,
                                    UnitOfWork& unit);

/// Marks the plan's row as changed by the event; refuses if it does not exist.
inline constexpr Refusal kNotCreated{base::ErrorCode::kInvalidArgument,
                                     "the plan has no plan.created event yet: it comes first"};

}  // namespace clever::storage::projections
