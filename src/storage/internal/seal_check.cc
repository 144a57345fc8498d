#include "storage/internal/seal_check.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "storage/internal/projection_check.h"
#include "storage/keys.h"
#include "storage/row_digest.h"

namespace clever::storage::internal {
namespace {

constexpr Sql kGoneCommands =
    "SELECT number FROM seal WHERE source = 'inbox' "
    "AND NOT EXISTS (SELECT 1 FROM inbox WHERE inbox.id = seal.number) ORDER BY number LIMIT 100";
constexpr Sql kGoneCalls =
    "SELECT number FROM seal WHERE source = 'model_call' AND NOT EXISTS "
    "(SELECT 1 FROM model_call WHERE model_call.id = seal.number) ORDER BY number LIMIT 100";
constexpr Sql kStraySeals =
    "SELECT source, number FROM seal WHERE source NOT IN ('inbox', 'model_call') LIMIT 100";

constexpr Sql kBudgets =
    "SELECT b.scope, b.cap, b.token_cap, b.digest, b.overrun, s.scope, s.digest, s.overrun "
    "FROM budget b LEFT JOIN budget_seal s ON s.scope = b.scope ORDER BY b.scope";
constexpr Sql kGoneBudgets =
    "SELECT scope FROM budget_seal s "
    "WHERE NOT EXISTS (SELECT 1 FROM budget b WHERE b.scope = s.scope) ORDER BY scope LIMIT 100";

constexpr Sql kLimits =
    "SELECT digest, lane, unit, amount, span, pace, grace FROM rate_limit ORDER BY lane, unit";
constexpr Sql kWorkspaces =
    "SELECT digest, id, plan, epoch, owner, host, boot, state, dirty, base, checkpoint, version, "
    "reason FROM workspace ORDER BY id";

constexpr Sql kStones = "SELECT number, plan, data, hash FROM tombstone ORDER BY number";
constexpr Sql kStillThere =
    "SELECT plan FROM tombstone t WHERE EXISTS (SELECT 1 FROM journal j WHERE j.plan = t.plan) "
    "OR EXISTS (SELECT 1 FROM plan p WHERE p.id = t.plan) "
    "OR EXISTS (SELECT 1 FROM event e WHERE e.plan = t.plan) LIMIT 100";
constexpr Sql kSharesOf =
    "SELECT scope, spent, tokens_spent, reserved, tokens_reserved FROM budget_entry "
    "WHERE plan = $1 ORDER BY scope";
constexpr Sql kStrayShares =
    "SELECT scope, plan FROM budget_entry e "
    "WHERE NOT EXISTS (SELECT 1 FROM journal j WHERE j.plan = e.plan) "
    "AND NOT EXISTS (SELECT 1 FROM tombstone t WHERE t.plan = e.plan) LIMIT 100";

constexpr Sql kEpoch = "SELECT epoch FROM lease WHERE name = $1";
constexpr Sql kLease =
    "SELECT owner, host, boot, holder_digest, home, home_folder, home_digest FROM lease "
    "WHERE name = $1";

// The first column is the digest of the columns after it; null in rows from before digests.
bool is_as_digested(const Row& row, std::size_t columns) {
  if (row.is_null(0)) return true;
  std::vector<Value> values;
  for (std::size_t column = 1; column < columns; ++column) values.push_back(row[column]);
  return row.blob(0) == row_digest(values).bytes;
}

}  // namespace

void SealCheck::fault(std::string table, std::string row, std::string what) {
  add_row_fault(verdict_, {std::move(table), std::move(row), std::move(what)});
}

base::Result<void> SealCheck::deleted(const char* table, Sql gone) {
  CLEVER_ASSIGN(const Rows rows, engine_.query(statement(gone), stop_));
  for (const Row& row : rows) {
    const std::string id = "id " + std::to_string(row.integer(0));
    fault(table, id, "it was deleted, or got another id");
    fault("seal", std::string(table) + " " + id, "it seals no row");
  }
  return {};
}

base::Result<void> SealCheck::deleted_rows() {
  CLEVER_TRY(deleted("inbox", kGoneCommands));
  CLEVER_TRY(deleted("model_call", kGoneCalls));
  CLEVER_ASSIGN(const Rows strays, engine_.query(statement(kStraySeals), stop_));
  for (const Row& row : strays) {
    fault("seal", row.text(0) + " id " + std::to_string(row.integer(1)), "it seals no row");
  }
  return {};
}

void SealCheck::sealed(const SealedRow& row) {
  if (row.is_sealed && row.digest == row.sealed_digest) return;
  const std::string id = "id " + std::to_string(row.id);
  const std::string seal = std::string(row.table) + " " + id;
  // Either row may be the changed one.
  if (!row.is_sealed) {
    fault(row.table, id, "no seal says that agents wrote it");
    fault("seal", seal, "it is missing");
    return;
  }
  fault(row.table, id, "its digest is not that of its seal");
  fault("seal", seal, "its digest is not that of its row");
}

base::Result<void> SealCheck::budgets() {
  CLEVER_ASSIGN(const Rows rows, engine_.query(statement(kBudgets), stop_));
  for (const Row& row : rows) {
    ++verdict_.rows;
    const std::string scope = "scope " + row.text(0);
    const Blob digest = caps_digest(row.text(0), row.integer(1), row.integer(2));
    if (!row.is_null(3) && row.blob(3) != digest.bytes) {
      fault("budget", scope, "its caps are not those that were set");
    }
    if (row.is_null(5)) {
      fault("budget", scope, "no seal says that agents wrote it");
      fault("budget_seal", scope, "it is missing");
      continue;
    }
    if (row[3] != row[6]) {
      fault("budget", scope, "its digest is not that of its seal");
      fault("budget_seal", scope, "its digest is not that of its row");
    }
    if (row.integer(4) != row.integer(7)) {
      fault("budget", scope, "its overrun is not that of its seal");
      fault("budget_seal", scope, "its overrun is not that of its row");
    }
  }
  CLEVER_ASSIGN(const Rows gone, engine_.query(statement(kGoneBudgets), stop_));
  for (const Row& row : gone) {
    fault("budget", "scope " + row.text(0), "it was deleted, or got another name");
    fault("budget_seal", "scope " + row.text(0), "it seals no row");
  }
  return {};
}

base::Result<void> SealCheck::digests() {
  CLEVER_ASSIGN(const Rows limits, engine_.query(statement(kLimits), stop_));
  for (const Row& row : limits) {
    ++verdict_.rows;
    if (is_as_digested(row, limits.columns())) continue;
    fault("rate_limit", "lane " + row.text(1) + ", unit " + std::to_string(row.integer(2)),
          "it is not what was learned");
  }
  CLEVER_ASSIGN(const Rows workspaces, engine_.query(statement(kWorkspaces), stop_));
  for (const Row& row : workspaces) {
    ++verdict_.rows;
    if (is_as_digested(row, workspaces.columns())) continue;
    fault("workspace", "id " + ulid_of(row.blob(1)).to_string(), "it is not as it was written");
  }
  return {};
}

base::Result<void> SealCheck::read_stones() {
  CLEVER_ASSIGN(const Rows rows, engine_.query(statement(kStones), stop_));
  std::int64_t due = 0;
  Blob hash = to_blob(base::Sha256Digest());
  for (const Row& row : rows) {
    ++verdict_.rows;
    const auto plan = id_of<model::PlanId>(row.blob(1));
    const std::string name = "number " + std::to_string(row.integer(0));
    if (row.integer(0) != ++due) fault("tombstone", name, "one before it is missing");
    due = row.integer(0);
    if (row.blob(3) != tombstone_hash(hash, due, plan, row.blob(2)).bytes) {
      fault("tombstone", name, "its hash is not that of its content and of the one before");
    }
    hash = Blob{row.blob(3)};
    const auto stone = model::Tombstone::parse(plan, row.blob(2));
    if (stone.ok()) {
      buried_.emplace(plan, stone->epoch);
      CLEVER_TRY(shares(*stone));
    } else {
      fault("tombstone", name, stone.error().sentence());
    }
  }
  return {};
}

base::Result<void> SealCheck::shares(const model::Tombstone& stone) {
  CLEVER_ASSIGN(const Rows rows, engine_.query(statement(kSharesOf, to_blob(stone.plan)), stop_));
  std::vector<model::Tombstone::Share> found;
  bool is_settled = true;
  for (const Row& row : rows) {
    ++verdict_.rows;
    found.push_back({row.text(0), row.integer(1), row.integer(2)});
    is_settled = is_settled && row.integer(3) == 0 && row.integer(4) == 0;
  }
  if (is_settled && found == stone.shares) return {};
  fault("budget_entry", "plan " + stone.plan.to_string(),
        "its shares are not those of its tombstone");
  return {};
}

base::Result<void> SealCheck::tombstones() {
  CLEVER_TRY(read_stones());
  CLEVER_ASSIGN(const Rows there, engine_.query(statement(kStillThere), stop_));
  for (const Row& row : there) {
    fault("tombstone", "plan " + id_of<model::PlanId>(row.blob(0)).to_string(),
          "its plan was not deleted");
  }
  CLEVER_ASSIGN(const Rows strays, engine_.query(statement(kStrayShares), stop_));
  for (const Row& row : strays) {
    fault("budget_entry",
          "scope " + row.text(0) + ", plan " + id_of<model::PlanId>(row.blob(1)).to_string(),
          "its plan has neither a journal nor a tombstone");
  }
  return {};
}

base::Result<void> SealCheck::leases() {
  CLEVER_ASSIGN(const Rows leases, engine_.query(statement("SELECT name FROM lease"), stop_));
  // A journal is created with its lease and deleted with a tombstone, so each plan has one of the
  // two.
  CLEVER_ASSIGN(const Rows known, engine_.query(statement("SELECT plan FROM journal "
                                                          "UNION SELECT plan FROM tombstone"),
                                                stop_));
  std::set<std::string> names;
  for (const Row& row : known) names.insert(plan_name(id_of<model::PlanId>(row.blob(0))));
  for (const Row& row : leases) {
    const std::string& name = row.text(0);
    if (!plan_of(name) || names.contains(name)) continue;
    fault("lease", "name " + name, "its plan has no journal");
    fault("journal", "plan " + plan_of(name).to_string(),
          "it is gone, and no tombstone says that it was deleted");
    fault("tombstone", "plan " + plan_of(name).to_string(), "it is missing, or the journal is");
  }
  for (const auto& [plan, epoch] : buried_) {
    CLEVER_TRY(engine_.read([&](Snapshot& view) { return buried(view, plan, epoch); }, stop_));
  }
  return {};
}

base::Result<void> SealCheck::buried(Snapshot& view, const model::PlanId& plan,
                                     std::int64_t epoch) {
  CLEVER_ASSIGN(const Rows rows, view.query(kEpoch, plan_name(plan)));
  if (rows.empty()) {
    fault("lease", "name " + plan_name(plan), "it is missing");
    fault("tombstone", "plan " + plan.to_string(), "its plan never had a lease");
    return {};
  }
  if (rows[0].integer(0) != epoch) {
    fault("lease", "name " + plan_name(plan), "its epoch is not that of the tombstone");
  }
  return lease(view, plan);
}

base::Result<void> SealCheck::lease(Snapshot& view, const model::PlanId& plan) {
  const std::string name = plan_name(plan);
  CLEVER_ASSIGN(const Rows rows, view.query(kLease, name));
  for (const Row& row : rows) {
    const Blob holder = holder_digest(name, row[0], row.text(1), row.text(2));
    if (!row.is_null(3) && row.blob(3) != holder.bytes) {
      fault("lease", "name " + name, "its owner, host or boot is not who took it");
    }
    if (!row.is_null(6) && row.blob(6) != home_digest(name, row.text(4), row.text(5)).bytes) {
      fault("lease", "name " + name, "its home is not the one in which the plan was made");
    }
  }
  return {};
}

}  // namespace clever::storage::internal
