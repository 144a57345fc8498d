#pragma once
#include "storage/inspection.h"
#include "storage/rows.h"
#include "storage/sql.h"

// The counts of both kinds of inspection.
namespace clever::storage::internal {

inline constexpr Sql kCountRows =
    "SELECT (SELECT count(*) FROM plan), (SELECT count(*) FROM event), "
    "(SELECT count(*) FROM job), (SELECT count(*) FROM lease WHERE owner IS NOT NULL)";

/// Returns whether the tables exist with the meaning that this program expects.
[[nodiscard]] inline bool can_count(const Inspection& inspection) {
  constexpr std::size_t kSteps = 3;
  return inspection.applied.size() >= kSteps && inspection.applied.size() <= schema().size();
}

[[nodiscard]] inline Inspection::Counts counts_of(const Row& row) {
  const auto number = [&](std::size_t column) {
    return static_cast<std::uint64_t>(row.integer(column));
  };
  return {.plans = number(0), .events = number(1), .jobs = number(2), .leases = number(3)};
}

}  // namespace clever::storage::internal
