#pragma once
#include <string>

#include "base/clock.h"

namespace clever::service {

/// "2026-01-31T09:05:07.120Z"
[[nodiscard]] std::string timestamp(base::WallTime time);

}  // namespace clever::service
