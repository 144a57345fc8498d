#include "sandbox/sandbox_records.h"

#include <array>

#include "base/plant.h"
#include "model/time.h"
#include "storage/keys.h"
#include "storage/row_digest.h"

namespace clever::sandbox {
namespace {

using storage::Refusal;
using storage::Sql;
using storage::to_blob;
using storage::UnitOfWork;

constexpr std::array<std::string_view, 4> kStates{"open", "committed", "quarantined", "removing"};

constexpr Sql kInsert =
    "INSERT INTO workspace (id, plan, epoch, owner, host, boot, state, dirty, base, checkpoint, "
    "version, reason, created, updated, digest) "
    "VALUES ($1, $2, $3, $4, $5, $6, 'open', $7, $8, $9, $10, '', $11, $11, $12)";
// Changes several rows with different versions, so their digests are dropped.
constexpr Sql kQuarantine =
    "UPDATE workspace SET state = 'quarantined', version = version + 1, updated = $4, "
    "reason = $3, digest = NULL WHERE plan = $1 AND epoch < $2 AND state = 'open'";
constexpr Sql kChange =
    "UPDATE workspace SET state = $3, dirty = $4, checkpoint = $5, version = version + 1, "
    "updated = $6, digest = $7 WHERE id = $1 AND version = $2 AND state = 'open'";
// A planted fault: overwrites any later state.
constexpr Sql kOverwrite =
    "UPDATE workspace SET state = $3, dirty = $4, checkpoint = $5, version = $2 + 1, updated = $6, "
    "digest = $7 WHERE id = $1";
constexpr Sql kBeginRemoval =
    "UPDATE workspace SET state = 'removing', version = version + 1, updated = $3, digest = $4 "
    "WHERE id = $1 AND version = $2";
constexpr Sql kList =
    "SELECT id, plan, epoch, owner, host, boot, state, dirty, base, checkpoint, version, reason "
    "FROM workspace ORDER BY id";
// A subplan's work lands with its root's, and is inspected until then.
constexpr Sql kPlan = "SELECT 1 FROM plan WHERE id = $1";
constexpr Sql kNeeded =
    "WITH RECURSIVE above(id, parent, state) AS ("
    "SELECT id, parent, state FROM plan WHERE id = $1 "
    "UNION SELECT plan.id, plan.parent, plan.state FROM plan, above WHERE plan.id = above.parent) "
    "SELECT 1 FROM above WHERE parent IS NULL AND state <> 'cancelled' AND (state <> 'applied' OR "
    "($2 = 1 AND id = $1 AND NOT EXISTS ("
    "SELECT 1 FROM event WHERE event.plan = above.id AND (event.kind = 'payloads.expired' OR "
    "(event.kind = 'apply.undone' AND NOT EXISTS ("
    "SELECT 1 FROM event AS later WHERE later.plan = event.plan AND later.kind = 'apply.ended' "
    "AND later.sequence > event.sequence))))))";

constexpr Refusal kChanged{base::ErrorCode::kConflict,
                           "another process committed, quarantined or changed the workspace"};

// Hashes the columns in order, as `db verify` reads them.
storage::Blob digest_of_record(const WorkspaceRecord& record) {
  return storage::row_digest(std::array<storage::Value, 12>{
      to_blob(record.id), to_blob(record.plan), record.epoch, to_blob(record.owner.id),
      record.owner.host, record.owner.boot, std::string(to_string(record.state)),
      std::int64_t{record.dirty}, record.base, record.checkpoint, record.version, record.reason});
}

WorkspaceRecord with_state(WorkspaceRecord record, WorkspaceState state) {
  record.state = state;
  ++record.version;
  return record;
}

WorkspaceState state_of(std::string_view name) {
  for (std::size_t i = 0; i < kStates.size(); ++i) {
    if (kStates[i] == name) return static_cast<WorkspaceState>(i);
  }
  // The row was edited by hand: quarantine the workspace.
  return WorkspaceState::kQuarantined;
}

WorkspaceRecord record_of(const storage::Row& row) {
  return {.id = storage::id_of<WorkspaceId>(row.blob(0)),
          .plan = storage::id_of<model::PlanId>(row.blob(1)),
          .epoch = row.integer(2),
          .owner = {storage::id_of<model::OwnerId>(row.blob(3)), row.text(4), row.text(5)},
          .state = state_of(row.text(6)),
          .dirty = row.integer(7) != 0,
          .base = row.text(8),
          .checkpoint = row.text(9),
          .version = row.integer(10),
          .reason = row.text(11)};
}

class StoredRecords final : public SandboxRecords {
 public:
  StoredRecords(storage::Engine& engine, base::Clock& clock) : engine_(engine), clock_(clock) {}

  base::Result<void> create(const WorkspaceRecord& record, const storage::Lease& lease) override {
    UnitOfWork unit;
    unit.add(storage::Leases::guard(lease));
    unit.run(kQuarantine, to_blob(record.plan), record.epoch,
             "another process took over the plan, at epoch " + std::to_string(record.epoch), now());
    unit.run(kInsert, to_blob(record.id), to_blob(record.plan), record.epoch,
             to_blob(record.owner.id), record.owner.host, record.owner.boot,
             std::int64_t{record.dirty}, record.base, record.checkpoint, record.version, now(),
             digest_of_record(record));
    return commit(std::move(unit));
  }

  base::Result<void> change(const WorkspaceRecord& seen, const WorkspaceRecord& now_it_is,
                            const storage::Lease& lease) override {
    UnitOfWork unit;
    unit.add(storage::Leases::guard(lease));
    WorkspaceRecord becomes = with_state(seen, now_it_is.state);
    becomes.dirty = now_it_is.dirty;
    becomes.checkpoint = now_it_is.checkpoint;
    const bool compares = !base::planted("sandbox.commits_on_a_stale_snapshot");
    unit.require(1, kChanged, compares ? kChange : kOverwrite, to_blob(seen.id), seen.version,
                 std::string(to_string(now_it_is.state)), std::int64_t{now_it_is.dirty},
                 now_it_is.checkpoint, now(), digest_of_record(becomes));
    return commit(std::move(unit));
  }

  base::Result<void> begin_removal(const WorkspaceRecord& seen) override {
    UnitOfWork unit;
    unit.require(1, kChanged, kBeginRemoval, to_blob(seen.id), seen.version, now(),
                 digest_of_record(with_state(seen, WorkspaceState::kRemoving)));
    return commit(std::move(unit));
  }

  base::Result<void> forget(const WorkspaceId& id) override {
    UnitOfWork unit;
    unit.run("DELETE FROM workspace WHERE id = $1 AND state = 'removing'", to_blob(id));
    return commit(std::move(unit));
  }

  base::Result<std::vector<WorkspaceRecord>> list() override {
    CLEVER_ASSIGN(const storage::Rows rows, engine_.query(kList));
    std::vector<WorkspaceRecord> records;
    for (const storage::Row& row : rows) records.push_back(record_of(row));
    return records;
  }

  base::Result<bool> is_plan(const model::PlanId& plan) override {
    CLEVER_ASSIGN(const storage::Rows rows, engine_.query(kPlan, to_blob(plan)));
    return !rows.empty();
  }
  base::Result<bool> needs_files(const model::PlanId& plan, bool may_be_undone) override {
    CLEVER_ASSIGN(const storage::Rows rows,
                  engine_.query(kNeeded, to_blob(plan), std::int64_t{may_be_undone}));
    return !rows.empty();
  }

 private:
  base::Result<void> commit(UnitOfWork unit) {
    CLEVER_TRY(engine_.commit(std::move(unit)));
    return {};
  }
  [[nodiscard]] std::int64_t now() const {
    return std::chrono::duration_cast<std::chrono::microseconds>(
               clock_.wall_now().time_since_epoch())
        .count();
  }

  storage::Engine& engine_;
  base::Clock& clock_;
};

}  // namespace

std::string_view to_string(WorkspaceState state) noexcept {
  return kStates[static_cast<std::size_t>(state)];
}

std::unique_ptr<SandboxRecords> stored_sandbox_records(storage::Engine& engine,
                                                       base::Clock& clock) {
  return std::make_unique<StoredRecords>(engine, clock);
}

}  // namespace clever::sandbox
