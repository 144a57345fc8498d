#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "base/result.h"
#include "storage/migration.h"
#include "storage/postgres/internal/connection.h"

namespace clever::storage::postgres {

/// The advisory lock of the schema: shared by each transaction that writes, exclusive to the one
/// that changes the schema or that must run with no other beside it.
inline constexpr std::int64_t kSchemaLock = 0x636c'6576'6572'0001;

/// Creates what the engine itself needs (the record of the steps, the keys of transactions,
/// clever_now()) and brings the schema up to date, unless all that is done already. First runs may
/// race: one works, the others wait. Returns the version. `conflict` if the database is newer.
[[nodiscard]] base::Result<std::int64_t> migrate(Connection& connection,
                                                 std::span<const Migration> steps,
                                                 const Patience& patience);

}  // namespace clever::storage::postgres
