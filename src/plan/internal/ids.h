#pragma once
#include <cstdint>
#include <string_view>

#include "base/ulid.h"
#include "model/id.h"
#include "model/time.h"

namespace clever::plan {

/// A deterministic id: 48 bits of the time in milliseconds, 80 bits of the SHA-256 of `seed`.
[[nodiscard]] base::Ulid derived_id(model::Timestamp time, std::string_view seed);

}  // namespace clever::plan
