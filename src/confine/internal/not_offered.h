#pragma once
#include <string_view>

#include "base/error.h"

namespace clever::confine::internal {

/// The error for a missing kernel feature: `unavailable`, and what a person can do.
[[nodiscard]] base::Error not_offered(int number, std::string_view doing);

}  // namespace clever::confine::internal
