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

/// A database as it is found, before anybody opens it for work. A value.
struct Inspection {
  struct Counts {
    std::uint64_t plans = 0;
    std::uint64_t events = 0;
    std::uint64_t jobs = 0;
    /// Those that somebody holds.
    std::uint64_t leases = 0;
  };

  /// False: nothing is there, and the rest but for the address is empty. (What is in memory is
  /// never there: it lives and ends with its process.)
  bool exists = false;
  EngineFacts facts{};
  /// The steps that made its schema, in order; none: it is empty.
  std::vector<AppliedMigration> applied{};
  /// SQLite: how it logs, "wal". Empty otherwise.
  std::string journal_mode{};
  /// Connections of others; none where that cannot be told.
  std::optional<std::uint64_t> other_connections{};
  /// None for a schema that lacks these tables, or is newer than this program.
  std::optional<Counts> counts{};
};

/// Looks at a database without creating, upgrading or keeping it. (SQLite may take a log that a
/// crash left behind into the file: whoever reads it first does.)
///
/// `invalid_argument` for a folder or the database of another program, `corruption` for a file that
/// is no database; otherwise as opening it.
[[nodiscard]] base::Result<Inspection> inspect(const DatabaseUrl& url, base::Clock& clock,
                                               const base::StopToken& stop = {});

/// The steps that opening the database would take. `conflict` if it is newer than this program,
/// `corruption` if one of its steps is not the one that this program knows.
[[nodiscard]] base::Result<std::vector<Migration>> pending_steps(const Inspection& inspection);

}  // namespace clever::storage
