#pragma once
// What the setting storage.journal_days and `cleanup --journals` ask for. Private to the module.
#include <cstdint>
#include <vector>

#include "base/result.h"
#include "service/context.h"
#include "service/retention.h"
#include "storage/engine.h"
#include "storage/owner_lock.h"
#include "storage/plans.h"

namespace clever::service {

/// After how many days journals are deleted; 0: never.
[[nodiscard]] base::Result<std::int64_t> journal_days(Context& context);

/// The root plans whose journals are older than so many days and may go.
[[nodiscard]] base::Result<std::vector<storage::PlanSummary>> due_journals(storage::Engine& engine,
                                                                           std::int64_t days,
                                                                           Extent extent,
                                                                           Context& context);
/// Deletes them, and leaves tombstones; those that were deleted. One that a process works on stays,
/// and while another process deletes all do.
base::Result<std::vector<storage::PlanSummary>> delete_journals(storage::Engine& engine,
                                                                const storage::OwnerLock& owner,
                                                                std::int64_t days, Extent extent,
                                                                Context& context);

}  // namespace clever::service
