#pragma once
#include <chrono>
#include <cstdint>

namespace clever::model {

/// A stored point in time: whole microseconds since 1970, UTC. A value.
using Timestamp = std::chrono::sys_time<std::chrono::microseconds>;

[[nodiscard]] constexpr Timestamp to_timestamp(std::int64_t microseconds) {
  return Timestamp(std::chrono::microseconds(microseconds));
}
[[nodiscard]] constexpr std::int64_t to_microseconds(Timestamp time) {
  return time.time_since_epoch().count();
}

}  // namespace clever::model
