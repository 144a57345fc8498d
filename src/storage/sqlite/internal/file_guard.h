#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>

#include "base/clock.h"
#include "base/result.h"
#include "io/file_identity.h"
#include "storage/sqlite/internal/connection.h"

namespace clever::storage::sqlite {

/// Notices that other hands deleted, replaced or cut an open database. SQLite does not: it goes on
/// writing into files that have no name any more.
///
/// Owned by the engine. is_there() may be called by any thread, the rest by the writer's.
class FileGuard {
 public:
  /// Remembers which files the database and its log are. Both exist.
  explicit FileGuard(std::filesystem::path file);

  /// Whether the database's name still leads to the file that is open. Costs one stat(2).
  [[nodiscard]] bool is_there() const;

  /// `corruption` once the database or its log was deleted, replaced or cut. What `connection`
  /// still sees of a deleted database is saved beside it, once, and the error says where.
  base::Result<void> check(Connection& connection, base::Clock& clock);

 private:
  [[nodiscard]] base::Result<void> check_size(std::uint64_t size, base::Clock& clock);
  [[nodiscard]] base::Error lost(Connection& connection, base::Clock& clock);

  // Constant after construction.
  const std::filesystem::path file_;
  const std::filesystem::path log_file_;
  const std::optional<io::FileIdentity> database_;
  const std::optional<io::FileIdentity> log_;
  // Of the writer's thread.
  std::uint64_t size_ = 0;
  std::optional<base::Error> cut_{};
  std::optional<base::Error> lost_{};
};

}  // namespace clever::storage::sqlite
