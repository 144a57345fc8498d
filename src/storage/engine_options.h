#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "storage/migration.h"

namespace clever::storage {

enum class Synchronous : std::uint8_t {
  kFull,    // a commit survives a loss of power
  kNormal,  // a commit survives the death of the process; a loss of power may lose the last ones
};

/// Options of an open database. A value.
struct EngineOptions {
  Synchronous synchronous = Synchronous::kFull;
  /// Readers at the same time; further ones wait.
  std::size_t readers = 4;
  /// PostgreSQL: connections that write. (SQLite always has one writer.)
  std::size_t writers = 2;
  /// The most units that share a transaction.
  std::size_t group = 512;
  /// SQLite: a log of this many pages is checkpointed. With a longer log, a page that changes
  /// repeatedly is copied once instead of every time, but the larger sync delays concurrent
  /// commits.
  int log_pages = 1500;
  std::span<const Migration> migrations = schema();
};

}  // namespace clever::storage
