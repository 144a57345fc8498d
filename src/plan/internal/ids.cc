#include "plan/internal/ids.h"

#include <algorithm>
#include <chrono>

#include "base/sha256.h"
#include "plan/decide.h"

namespace clever::plan {
namespace {

constexpr std::size_t kTimeBytes = 6;

base::Ulid with_time(base::Ulid::Bytes bytes, std::uint64_t milliseconds) {
  for (std::size_t i = 0; i < kTimeBytes; ++i) {
    bytes.at(kTimeBytes - 1 - i) = static_cast<std::uint8_t>(milliseconds >> (8 * i));
  }
  return base::Ulid(bytes);
}

}  // namespace

base::Ulid derived_id(model::Timestamp time, std::string_view seed) {
  const base::Sha256Digest digest = base::sha256(seed);
  base::Ulid::Bytes bytes{};
  std::ranges::copy_n(digest.bytes().begin(), 10, bytes.begin() + kTimeBytes);
  const auto since = std::chrono::floor<std::chrono::milliseconds>(time).time_since_epoch().count();
  return with_time(bytes, static_cast<std::uint64_t>(std::max<std::int64_t>(since, 0)));
}

model::PlanId child_of(const model::EffectId& effect) {
  const auto time =
      std::chrono::time_point_cast<std::chrono::microseconds>(effect.ulid().timestamp());
  return model::PlanId(derived_id(time, "child/" + effect.to_string()));
}

}  // namespace clever::plan
