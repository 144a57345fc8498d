#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "storage/internal/commit_queue.h"
#include "storage/sqlite/internal/connection.h"

namespace clever::storage::sqlite {

/// Runs units in one transaction and commits it. One answer per unit, in order: receipts are
/// durable; a refused unit left nothing behind, and did not disturb the others.
///
/// The units run without savepoints first, since nearly always all succeed. If one fails, the
/// transaction is rolled back and runs again with a savepoint around each unit.
std::vector<base::Result<Receipt>> run_group(Connection& connection, std::int64_t schema_version,
                                             std::span<const internal::Pending> group);

}  // namespace clever::storage::sqlite
