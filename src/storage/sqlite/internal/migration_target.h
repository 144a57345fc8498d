#pragma once
#include <filesystem>

#include "storage/migration_runner.h"
#include "storage/sqlite/internal/connection.h"

namespace clever::storage::sqlite {

/// A SQLite database to migrate; the caller holds its file's lock. Before an upgrade it copies the
/// file to `FILE.before-vN` and checks the copy. A successful upgrade removes the copy; after a
/// failure it stays, and the error names it.
class SqliteMigrationTarget final : public MigrationTarget {
 public:
  SqliteMigrationTarget(Connection& connection, std::filesystem::path file, base::Clock& clock)
      : connection_(connection), file_(std::move(file)), clock_(clock) {}

  base::Result<std::vector<AppliedMigration>> applied() override;
  base::Result<void> before_upgrade(std::int64_t from, std::int64_t to) override;
  base::Result<void> apply(std::span<const Migration> steps) override;
  base::Result<void> after_upgrade() override;

  /// Removes the copies of earlier upgrades up to this version that a crash ended between their
  /// commit and after_upgrade().
  void remove_leftovers(std::int64_t version) const;

 private:
  [[nodiscard]] std::filesystem::path copy_before(std::int64_t version) const;
  base::Result<void> apply_within_transaction(std::span<const Migration> steps);

  Connection& connection_;
  const std::filesystem::path file_;
  base::Clock& clock_;
  std::filesystem::path copy_;  // empty if there is none
};

/// Copies the database into a new file: complete, checked and synced, or not at all.
base::Result<void> copy_database(Connection& source, const std::filesystem::path& target,
                                 base::Clock& clock,
                                 const std::function<void(std::uint64_t, std::uint64_t)>& progress,
                                 const base::StopToken& stop);

}  // namespace clever::storage::sqlite
