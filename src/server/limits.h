#pragma once
#include "base/result.h"
#include "config/settings.h"
#include "http/limits.h"

namespace clever::server {

/// Returns the limits as the settings server.limits.* say. `invalid_argument` for one of zero, with
/// which the server could answer nothing.
[[nodiscard]] base::Result<http::Limits> limits_of(const config::Settings& settings);

}  // namespace clever::server
