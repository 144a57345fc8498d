#pragma once
#include <memory>

#include "base/stop_token.h"
#include "engine/plan_store.h"
#include "engine/plan_writer.h"
#include "sandbox/changeset.h"

namespace clever::engine::internal {

/// Changesets of the plan that `writer` writes, read back from its journal; both must outlive it.
[[nodiscard]] std::unique_ptr<sandbox::ChangeLog> journal_change_log(PlanWriter& writer,
                                                                     PlanStore& store,
                                                                     base::StopToken stop);

}  // namespace clever::engine::internal
