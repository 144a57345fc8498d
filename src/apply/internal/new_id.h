#pragma once
#include <string>

namespace clever::apply::internal {

/// A unique name: a ULID.
[[nodiscard]] std::string new_id();

}  // namespace clever::apply::internal
