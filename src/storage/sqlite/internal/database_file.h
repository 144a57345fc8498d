#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>

#include "io/process_mutex.h"
#include "io/shared_numbers.h"
#include "storage/engine_options.h"
#include "storage/sqlite/internal/connection.h"

namespace clever::storage::sqlite {

/// A database that is open for writing and migrated; the lock between processes is not held.
struct OpenDatabase {
  /// Without links; empty in memory.
  std::filesystem::path file{};
  std::optional<io::ProcessMutex> turn{};
  std::optional<io::SharedNumbers> numbers{};
  std::unique_ptr<Connection> connection{};
  std::int64_t schema_version = 0;
  /// True if this program checkpoints the log.
  bool watches_log = false;
};

/// See open_sqlite(). `closing` ends waits for other programs during the life of the connection.
base::Result<OpenDatabase> open_file(const std::filesystem::path& path,
                                     const EngineOptions& options, base::Clock& clock,
                                     const base::StopToken& closing);
base::Result<OpenDatabase> open_memory(const EngineOptions& options, base::Clock& clock);

/// Beside the database; other processes watch it to learn of commits.
std::filesystem::path lock_file_of(const std::filesystem::path& file);

/// Creates an empty file if there is none, which becomes a database.
base::Result<void> create_missing_file(const std::filesystem::path& path);
/// `corruption` for a file that is empty although something was committed to it: SQLite would take
/// it for a new one.
base::Result<void> check_not_emptied(const std::filesystem::path& file);

}  // namespace clever::storage::sqlite
