#pragma once
#include <string>
#include <vector>

#include "base/result.h"

namespace clever::diff::internal {

/// `invalid_argument` for the first unknown id, with the known ones.
base::Result<void> check_known(const std::vector<std::string>& ids,
                               const std::vector<std::string>& known);

}  // namespace clever::diff::internal
