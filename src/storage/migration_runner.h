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

/// The database that is migrated. Its engine holds whatever keeps other processes from migrating at
/// the same time while a MigrationRunner works on it.
class MigrationTarget {
 public:
  virtual ~MigrationTarget() = default;
  /// In order of their versions; none for a new database.
  virtual base::Result<std::vector<AppliedMigration>> applied() = 0;
  /// Data that exists is about to be changed.
  virtual base::Result<void> before_upgrade(std::int64_t from, std::int64_t to) = 0;
  /// All steps and the record of them, in one transaction.
  virtual base::Result<void> apply(std::span<const Migration> steps) = 0;
  /// before_upgrade() and apply() have succeeded.
  virtual base::Result<void> after_upgrade() = 0;
};

/// Brings a database to the newest schema this program knows, or leaves it as it was. A value.
class MigrationRunner {
 public:
  explicit MigrationRunner(std::span<const Migration> steps) : steps_(steps) {}

  /// The version reached. `conflict` if the database is newer than this program, `corruption` if a
  /// step was recorded that this program knows otherwise.
  [[nodiscard]] base::Result<std::int64_t> run(MigrationTarget& target) const;

  [[nodiscard]] static std::string digest(const Migration& step);

 private:
  [[nodiscard]] base::Result<void> check_known(std::span<const AppliedMigration> applied) const;

  std::span<const Migration> steps_;
};

}  // namespace clever::storage
