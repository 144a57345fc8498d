#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "storage/internal/commit_queue.h"
#include "storage/sqlite/internal/connection.h"

namespace clever::storage::sqlite {

/// Runs units in one transaction and commits it. One answer per unit, in order: receipts are
/// durable; a unit that was refused left nothing behind, and did not disturb the others.
///
/// The units run without savepoints first, since nearly always all of them go through. If one does
/// not, the transaction is undone and run again with a savepoint around each.
std::vector<base::Result<Receipt>> run_group(Connection& connection, std::int64_t schema_version,
                                             std::span<const internal::Pending> group);

}  // namespace clever::storage::sqlite
