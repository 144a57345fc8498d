#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "storage/migration.h"

namespace clever::storage {

enum class Synchronous : std::uint8_t {
  kFull,    // a commit survives a loss of power
  kNormal,  // a commit survives the death of the process; the last ones may go with the power
};

/// How a database is opened. A value.
struct EngineOptions {
  Synchronous synchronous = Synchronous::kFull;
  /// Readers at the same time; those beyond wait.
  std::size_t readers = 4;
  /// PostgreSQL: connections that write. (SQLite has one writer by nature.)
  std::size_t writers = 2;
  /// Units that share a transaction, at most.
  std::size_t group = 512;
  /// SQLite: a log of so many pages is taken into the database. Of a longer one each page that is
  /// touched again and again is taken once instead of every time, but what is synced in one go
  /// keeps the disk from the commits of that moment.
  int log_pages = 1500;
  std::span<const Migration> migrations = schema();
};

}  // namespace clever::storage
