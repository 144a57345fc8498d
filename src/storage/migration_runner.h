#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "storage/migration.h"

namespace clever::storage {

struct AppliedMigration {
  std::int64_t version = 0;
  std::string name;
  std::string digest;  // of the step's text before in_dialect(), as hexadecimal digits
};

/// The database to migrate. While a MigrationRunner works on it, its engine keeps other processes
/// from migrating.
class MigrationTarget {
 public:
  virtual ~MigrationTarget() = default;
  /// Sorted by version; empty for a new database.
  virtual base::Result<std::vector<AppliedMigration>> applied() = 0;
  /// Called before existing data is changed.
  virtual base::Result<void> before_upgrade(std::int64_t from, std::int64_t to) = 0;
  /// Runs all steps and records them, in one transaction.
  virtual base::Result<void> apply(std::span<const Migration> steps) = 0;
  /// Called after before_upgrade() and apply() succeeded.
  virtual base::Result<void> after_upgrade() = 0;
};

/// Migrates a database to this program's newest schema, or leaves it unchanged. A value.
class MigrationRunner {
 public:
  explicit MigrationRunner(std::span<const Migration> steps) : steps_(steps) {}

  /// Returns the version reached. `conflict` if the database is newer than this program,
  /// `corruption` if a recorded step differs from this program's.
  [[nodiscard]] base::Result<std::int64_t> run(MigrationTarget& target) const;

  [[nodiscard]] static std::string digest(const Migration& step);

 private:
  [[nodiscard]] base::Result<void> check_known(std::span<const AppliedMigration> applied) const;

  std::span<const Migration> steps_;
};

}  // namespace clever::storage
