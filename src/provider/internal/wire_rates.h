#pragma once
#include "io/http.h"
#include "provider/rate_observation.h"

namespace clever::provider::internal {

/// Reads limits from the headers of any known provider; their names do not collide.
[[nodiscard]] RateObservation read_rates(const io::HttpHead& head);

}  // namespace clever::provider::internal
