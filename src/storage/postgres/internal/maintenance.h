#pragma once
#include "storage/engine.h"
#include "storage/postgres/internal/connector.h"

// What is done to a whole database now and then. Each needs a connection of its own.
namespace clever::storage::postgres {

[[nodiscard]] base::Result<EngineFacts> read_facts(Connection& connection, std::string address,
                                                   const Patience& patience);

/// Reads every row of every table of this schema, which finds pages that cannot be read (and, on
/// servers with data checksums, damaged ones), and looks for references to rows that are not there.
/// Indexes are checked where an administrator has installed the extension amcheck; a server without
/// it has no means for that.
[[nodiscard]] base::Result<void> check_tables(Connection& connection, const Progress& progress,
                                              const Patience& patience);

/// VACUUM (ANALYZE), table by table: space is made free for new rows, others are not kept waiting.
[[nodiscard]] base::Result<void> vacuum_tables(Connection& connection, const Progress& progress,
                                               const Patience& patience);

/// There is no such thing inside of the server: says which command does it.
[[nodiscard]] base::Error backup_refused(const std::string& address,
                                         const std::filesystem::path& target);

}  // namespace clever::storage::postgres
