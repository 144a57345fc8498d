#pragma once
#include "storage/engine.h"
#include "storage/postgres/internal/connector.h"

// Maintenance of a whole database. Each function needs a connection of its own.
namespace clever::storage::postgres {

[[nodiscard]] base::Result<EngineFacts> read_facts(Connection& connection, std::string address,
                                                   const Patience& patience);

/// Reads every row of every table of this schema, which finds unreadable pages (and, on servers
/// with data checksums, damaged ones), and looks for references to missing rows. Checks indexes if
/// an administrator has installed the extension amcheck; without it a server has no means for that.
[[nodiscard]] base::Result<void> check_tables(Connection& connection, const Progress& progress,
                                              const Patience& patience);

/// VACUUM (ANALYZE), table by table: frees space for new rows without blocking others.
[[nodiscard]] base::Result<void> vacuum_tables(Connection& connection, const Progress& progress,
                                               const Patience& patience);

/// PostgreSQL has no backup inside the server: names the command that makes one.
[[nodiscard]] base::Error backup_refused(const std::string& address,
                                         const std::filesystem::path& target);

}  // namespace clever::storage::postgres
