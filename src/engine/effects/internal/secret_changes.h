#pragma once
#include "base/result.h"
#include "base/secrets.h"
#include "base/stop_token.h"
#include "git/object_store.h"
#include "plan/state.h"

namespace clever::engine::internal {

/// `permission_denied` names the first file into which the plan's work put a known secret: such
/// work is not sealed, so it cannot land. What held it before may hold it still.
[[nodiscard]] base::Result<void> check_no_new_secret(const plan::State& plan,
                                                     git::ObjectStore& store,
                                                     const base::Secrets& secrets,
                                                     const base::StopToken& stop);

}  // namespace clever::engine::internal
