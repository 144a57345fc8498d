#pragma once
#include "storage/engine.h"
#include "storage/sqlite/internal/connection.h"

// Long work on a whole database, on a connection that the caller has to itself.
namespace clever::storage::sqlite {

base::Result<void> check_integrity(Connection& connection, const Progress& progress,
                                   const base::StopToken& stop);
base::Result<void> vacuum(Connection& connection, const Progress& progress,
                          const base::StopToken& stop);
base::Result<std::uint64_t> size_in_bytes(Connection& connection);

}  // namespace clever::storage::sqlite
