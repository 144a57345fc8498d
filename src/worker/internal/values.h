#pragma once
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>

#include "base/clock.h"
#include "model/id.h"
#include "storage/value.h"

// Converts between our types and the columns of the job table.
namespace clever::worker::internal {

[[nodiscard]] inline std::int64_t microseconds_of(base::WallTime time) {
  return std::chrono::floor<std::chrono::microseconds>(time.time_since_epoch()).count();
}
[[nodiscard]] inline base::WallTime wall_time(std::int64_t microseconds) {
  return base::WallTime{std::chrono::microseconds{microseconds}};
}

template <class Kind>
[[nodiscard]] storage::Value id_or_null(const model::Id<Kind>& id) {
  if (!id) return storage::Null{};
  const auto& bytes = id.ulid().bytes();
  return storage::Blob{std::string(bytes.begin(), bytes.end())};
}

/// Bytes of another length, which only an edit by hand can cause, give no id.
template <class Id>
[[nodiscard]] Id id_from(const std::string& blob) {
  base::Ulid::Bytes bytes{};
  if (blob.size() != bytes.size()) return {};
  std::ranges::transform(blob, bytes.begin(), [](char c) { return static_cast<std::uint8_t>(c); });
  return Id(base::Ulid(bytes));
}

}  // namespace clever::worker::internal
