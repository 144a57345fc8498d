#pragma once
#include <vector>

#include "base/result.h"
#include "config/edit.h"
#include "service/context.h"

namespace clever::service {

/// Changes settings of the home together, unless a worker would refuse what they come to:
/// `invalid_argument` says why, and nothing is written then.
[[nodiscard]] base::Result<void> change_settings(const std::vector<config::ValueChange>& changes,
                                                 Context& context);

}  // namespace clever::service
