#pragma once
#include "config/schema.h"

namespace clever::config::internal {

/// Every key of this program, in the order in which they are shown.
[[nodiscard]] Schema all_keys();

}  // namespace clever::config::internal
