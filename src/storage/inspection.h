#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "storage/database_url.h"
#include "storage/engine.h"
#include "storage/migration_runner.h"

namespace clever::storage {

/// The state of a database before it is opened for work. A value.
struct Inspection {
  struct Counts {
    std::uint64_t plans = 0;
    std::uint64_t events = 0;
    std::uint64_t jobs = 0;
    /// Leases that are held.
    std::uint64_t leases = 0;
  };

  /// False if the database does not exist; then only the address is filled in. (A database in
  /// memory never exists here: it lives and ends with its process.)
  bool exists = false;
  EngineFacts facts{};
  /// The migrations of its schema, in order; empty for an empty database.
  std::vector<AppliedMigration> applied{};
  /// SQLite's journal mode, "wal". Empty otherwise.
  std::string journal_mode{};
  /// Connections of other processes; none if unknown.
  std::optional<std::uint64_t> other_connections{};
  /// None for a schema that lacks these tables, or is newer than this program.
  std::optional<Counts> counts{};
};

/// Inspects a database without creating, upgrading or keeping it open. (SQLite may checkpoint a log
/// that a crash left behind, as any first reader does.)
///
/// `invalid_argument` for a folder or another program's database, `corruption` for a file that is
/// not a database; otherwise as opening it.
[[nodiscard]] base::Result<Inspection> inspect(const DatabaseUrl& url, base::Clock& clock,
                                               const base::StopToken& stop = {});

/// The migrations that opening the database would run. `conflict` if it is newer than this program,
/// `corruption` if one of its migrations differs from the one in this program.
[[nodiscard]] base::Result<std::vector<Migration>> pending_steps(const Inspection& inspection);

}  // namespace clever::storage
