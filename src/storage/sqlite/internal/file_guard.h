#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>

#include "base/clock.h"
#include "base/result.h"
#include "io/file_identity.h"
#include "storage/sqlite/internal/connection.h"

namespace clever::storage::sqlite {

/// Notices when another program deletes, replaces or cuts an open database. SQLite does not: it
/// continues to write into files without a name.
///
/// Owned by the engine. Any thread may call is_there(), the writer's thread the rest.
class FileGuard {
 public:
  /// Remembers the identity of the database and its log. Both exist.
  explicit FileGuard(std::filesystem::path file);

  /// Returns whether the database's name still leads to the open file. Costs one stat(2).
  [[nodiscard]] bool is_there() const;

  /// `corruption` once the database or its log was deleted, replaced or cut. Saves what
  /// `connection` still sees of a deleted database beside it, once; the error says where.
  base::Result<void> check(Connection& connection, base::Clock& clock);

 private:
  [[nodiscard]] base::Result<void> check_size(std::uint64_t size, base::Clock& clock);
  [[nodiscard]] base::Error lost(Connection& connection, base::Clock& clock);

  // Constant after construction.
  const std::filesystem::path file_;
  const std::filesystem::path log_file_;
  const std::optional<io::FileIdentity> database_;
  const std::optional<io::FileIdentity> log_;
  // Owned by the writer's thread.
  std::uint64_t size_ = 0;
  std::optional<base::Error> cut_{};
  std::optional<base::Error> lost_{};
};

}  // namespace clever::storage::sqlite
