#pragma once
#include "io/http.h"
#include "provider/rate_observation.h"

namespace clever::provider::internal {

/// What the headers of any of the known providers say about limits: their names do not collide.
[[nodiscard]] RateObservation read_rates(const io::HttpHead& head);

}  // namespace clever::provider::internal
