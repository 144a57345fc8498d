#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "base/result.h"
#include "storage/migration.h"
#include "storage/postgres/internal/connection.h"

namespace clever::storage::postgres {

/// The advisory lock of the schema: shared by each writing transaction, exclusive for one that
/// changes the schema or must run alone.
inline constexpr std::int64_t kSchemaLock = 0x636c'6576'6572'0001;

/// Creates the engine's own tables (the record of the migrations, the keys of transactions,
/// clever_now()) and migrates the schema, unless both are up to date. First runs may race: one
/// works, the others wait. Returns the version. `conflict` if the database is newer.
[[nodiscard]] base::Result<std::int64_t> migrate(Connection& connection,
                                                 std::span<const Migration> steps,
                                                 const Patience& patience);

}  // namespace clever::storage::postgres
