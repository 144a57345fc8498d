#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "io/environment.h"

namespace clever::provider::internal {

/// Empty if it is not set.
[[nodiscard]] std::string value_of(const io::Environment& environment, std::string_view name);

/// The first of these variables that is set and not empty; empty if none is.
[[nodiscard]] std::string first_set(const io::Environment& environment,
                                    const std::vector<std::string_view>& names);

}  // namespace clever::provider::internal
