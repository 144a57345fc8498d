#pragma once
#include <string>
#include <string_view>

#include "base/error.h"

namespace clever::confine::internal {

/// "cannot mount /a/b: Permission denied", with the code that fits the number.
[[nodiscard]] base::Error system_error(int number, std::string_view doing);

/// What the kernel refuses though confinement needs it: `unavailable`, and what a person can do.
[[nodiscard]] base::Error not_offered(int number, std::string_view doing);

}  // namespace clever::confine::internal
