#pragma once
#include <string>

namespace clever::apply::internal {

/// A name that nothing else has: a ULID.
[[nodiscard]] std::string new_id();

}  // namespace clever::apply::internal
