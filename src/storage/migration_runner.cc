#include "storage/migration_runner.h"

#include "base/sha256.h"

namespace clever::storage {

std::string MigrationRunner::digest(const Migration& step) {
  return base::sha256(step.sql).to_hex();
}

base::Result<void> MigrationRunner::check_known(std::span<const AppliedMigration> applied) const {
  if (applied.size() > steps_.size()) {
    return base::conflict("the database has schema version " +
                          std::to_string(applied.back().version) + ", this program knows up to " +
                          std::to_string(steps_.size()) + "; use the newer agents");
  }
  for (std::size_t i = 0; i < applied.size(); ++i) {
    const auto& step = steps_[i];
    if (applied[i].version != step.version || applied[i].digest != digest(step)) {
      return base::corruption("schema step " + std::to_string(applied[i].version) + " (" +
                              applied[i].name + ") is not the one this program knows as " +
                              std::to_string(step.version) + " (" + std::string(step.name) + ")");
    }
  }
  return {};
}

base::Result<std::int64_t> MigrationRunner::run(MigrationTarget& target) const {
  CLEVER_ASSIGN(const auto applied, target.applied());
  CLEVER_TRY(check_known(applied));
  const auto missing = steps_.subspan(applied.size());
  const auto newest = static_cast<std::int64_t>(steps_.size());
  if (missing.empty()) return newest;
  const bool upgrade = !applied.empty();
  if (upgrade) CLEVER_TRY(target.before_upgrade(applied.back().version, newest));
  CLEVER_TRY(target.apply(missing));
  if (upgrade) CLEVER_TRY(target.after_upgrade());
  return newest;
}

}  // namespace clever::storage
