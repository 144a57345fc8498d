#include "storage/inspection.h"

#include <variant>

#include "storage/postgres/inspect_postgres.h"
#include "storage/sqlite/inspect_sqlite.h"

namespace clever::storage {
namespace {

// Records the steps and applies none.
class Rehearsal final : public MigrationTarget {
 public:
  explicit Rehearsal(const Inspection& inspection) : inspection_(inspection) {}

  base::Result<std::vector<AppliedMigration>> applied() override { return inspection_.applied; }
  base::Result<void> before_upgrade(std::int64_t, std::int64_t) override { return {}; }
  base::Result<void> apply(std::span<const Migration> steps) override {
    steps_.assign(steps.begin(), steps.end());
    return {};
  }
  base::Result<void> after_upgrade() override { return {}; }

  [[nodiscard]] std::vector<Migration> steps() && { return std::move(steps_); }

 private:
  const Inspection& inspection_;
  std::vector<Migration> steps_;
};

}  // namespace

base::Result<Inspection> inspect(const DatabaseUrl& url, base::Clock& clock,
                                 const base::StopToken& stop) {
  if (std::holds_alternative<DatabaseUrl::Postgres>(url.address())) {
    return inspect_postgres(url, clock, stop);
  }
  return inspect_sqlite(url, clock, stop);
}

base::Result<std::vector<Migration>> pending_steps(const Inspection& inspection) {
  Rehearsal rehearsal(inspection);
  CLEVER_TRY(MigrationRunner(schema()).run(rehearsal));
  return std::move(rehearsal).steps();
}

}  // namespace clever::storage
