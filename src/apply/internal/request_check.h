#pragma once
#include "apply/apply.h"
#include "base/result.h"

namespace clever::apply::internal {

/// Refuses a request that could not land anywhere: `invalid_argument` for changes that differ from
/// the approved ones, are not sorted, or change nothing; `permission_denied` for paths that lead
/// out of the project or into .git, and for submodules.
[[nodiscard]] base::Result<void> check_request(const Request& request);

/// The inverse of each change.
[[nodiscard]] std::vector<model::NetChange> inverse(const std::vector<model::NetChange>& changes);

}  // namespace clever::apply::internal
