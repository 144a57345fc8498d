#include "storage/row_verify.h"

#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "base/sha256.h"
#include "model/budget_events.h"
#include "storage/access.h"
#include "storage/audit_log.h"
#include "storage/internal/projection_check.h"
#include "storage/internal/seal_check.h"
#include "storage/keys.h"
#include "storage/row_digest.h"

namespace clever::storage {
namespace {

using internal::add_row_fault;
using internal::ProjectionCheck;
using internal::SealCheck;

// The first version of the schema whose rows have digests and seals.
constexpr std::int64_t kFirstWithDigests = 12;
constexpr std::size_t kRowsAtOnce = 500;

constexpr Sql kCommands =
    "SELECT id, plan, key, fingerprint, body, consumed, receipt, inbox.digest, receipt_digest, "
    "(SELECT 1 FROM event e WHERE e.plan = inbox.plan AND e.sequence = inbox.consumed), "
    "number, seal.digest FROM inbox LEFT JOIN seal ON source = 'inbox' AND number = id "
    "WHERE id > $1 ORDER BY id LIMIT $2";
constexpr Sql kCalls =
    "SELECT id, c.digest, plan, decision, effect, provider, model, started, latency, first_byte, "
    "waited, retries, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, cost, "
    "error, attributes, number, seal.digest FROM model_call c "
    "LEFT JOIN seal ON source = 'model_call' AND number = id WHERE id > $1 ORDER BY id LIMIT $2";
constexpr std::size_t kCallColumns = 19;
// The row of an uncapped scope counts nothing.
constexpr Sql kSums =
    "SELECT b.scope, b.reserved, b.spent, b.tokens_reserved, b.tokens_spent, "
    "CAST(COALESCE(SUM(e.reserved), 0) AS BIGINT), CAST(COALESCE(SUM(e.spent), 0) AS BIGINT), "
    "CAST(COALESCE(SUM(e.tokens_reserved), 0) AS BIGINT), "
    "CAST(COALESCE(SUM(e.tokens_spent), 0) AS BIGINT) "
    "FROM budget b LEFT JOIN budget_entry e ON e.scope = b.scope "
    "AND (b.cap < $1 OR b.token_cap < $1) "
    "GROUP BY b.scope, b.reserved, b.spent, b.tokens_reserved, b.tokens_spent ORDER BY b.scope";
constexpr Sql kLease = "SELECT epoch FROM lease WHERE name = $1";
constexpr Sql kJournalEpoch = "SELECT epoch FROM journal WHERE plan = $1";

base::Result<void> check_not_stopped(const base::StopToken& stop) {
  if (stop.stop_requested()) return base::cancelled("stopped while verifying");
  return {};
}

class RowCheck {
 public:
  RowCheck(Engine& engine, const base::StopToken& stop)
      : engine_(engine), stop_(stop), seals_(engine, stop, verdict_) {}

  base::Result<void> commands() {
    return each(kCommands, [this](const Row& row) { check_command(row); });
  }
  base::Result<void> calls() {
    return each(kCalls, [this](const Row& row) { check_call(row); });
  }

  base::Result<void> sums() {
    CLEVER_ASSIGN(const Rows rows, engine_.query(statement(kSums, model::kLargestAmount), stop_));
    constexpr std::string_view kNames[] = {"reserved", "spent", "tokens_reserved", "tokens_spent"};
    for (const Row& row : rows) {
      for (std::size_t i = 0; i < std::size(kNames); ++i) {
        if (row.integer(1 + i) == row.integer(1 + i + std::size(kNames))) continue;
        fault("budget", "scope " + row.text(0),
              "its " + std::string(kNames[i]) + " is not the sum of the plans' shares");
      }
    }
    return {};
  }

  base::Result<void> access(const base::Clock& clock) {
    CLEVER_ASSIGN(const auto rights, Access(engine_).faults(stop_));
    for (const std::string& row : rights) {
      fault(row.starts_with("person") ? "person" : "access_token", row, "it is not as it was set");
    }
    CLEVER_ASSIGN(const auto entries, AuditLog(engine_, clock).faults(stop_));
    for (const std::string& what : entries) {
      // Either the last entry is missing, or the head was changed.
      if (what.contains("head")) fault("audit_head", "the chain", what);
      fault("audit", "the chain", what);
    }
    return {};
  }

  base::Result<void> epoch(Snapshot& view, const model::PlanId& plan) {
    CLEVER_ASSIGN(const Rows lease, view.query(kLease, plan_name(plan)));
    CLEVER_ASSIGN(const Rows journal, view.query(kJournalEpoch, to_blob(plan)));
    if (journal.empty()) return {};
    ++verdict_.rows;
    if (!lease.empty() && lease[0].integer(0) == journal[0].integer(0)) return {};
    // Either row may be the changed one.
    fault("lease", "name " + plan_name(plan), "its epoch is not that of the journal");
    fault("journal", "plan " + plan.to_string(), "its epoch is not that of the lease");
    return {};
  }

  [[nodiscard]] RowVerdict& verdict() { return verdict_; }
  [[nodiscard]] SealCheck& seals() { return seals_; }

 private:
  template <class Check>
  base::Result<void> each(const Sql& sql, Check check) {
    std::optional<std::int64_t> after = std::numeric_limits<std::int64_t>::min();
    while (after) {
      CLEVER_TRY(check_not_stopped(stop_));
      CLEVER_ASSIGN(const Rows rows, engine_.query(statement(sql, *after, kRowsAtOnce), stop_));
      after.reset();
      for (const Row& row : rows) {
        ++verdict_.rows;
        after = row.integer(0);
        check(row);
      }
    }
    return {};
  }

  void check_command(const Row& row) {
    const std::string id = "id " + std::to_string(row.integer(0));
    const auto plan = id_of<model::PlanId>(row.blob(1));
    const Blob fingerprint{row.blob(3)};
    if (to_blob(base::sha256(row.blob(4))) != fingerprint) {
      fault("inbox", id, "its body is not that of its fingerprint");
    }
    seals_.sealed({"inbox", row.integer(0), row[7], !row.is_null(10), row[11]});
    const bool has_digest = !row.is_null(7);
    if (has_digest && row.blob(7) != command_digest(plan, row.text(2), fingerprint).bytes) {
      fault("inbox", id, "its plan, key or fingerprint is not as it was sent");
    }
    if (!is_answered_rightly(row, plan, has_digest)) {
      fault("inbox", id, "its answer is not the one that was given");
    }
  }

  static bool is_answered_rightly(const Row& row, const model::PlanId& plan, bool has_digest) {
    const bool is_consumed = !row.is_null(5);
    if (!is_consumed) return row.is_null(6) && row.is_null(8);
    if (row.is_null(9)) return false;
    if (row.is_null(8)) return !has_digest;
    const Blob digest = receipt_digest(row.integer(0), plan, row.integer(5), row.blob(6));
    return !row.is_null(6) && row.blob(8) == digest.bytes;
  }

  void check_call(const Row& row) {
    seals_.sealed(
        {"model_call", row.integer(0), row[1], !row.is_null(kCallColumns), row[kCallColumns + 1]});
    std::vector<Value> values;
    for (std::size_t column = 2; column < kCallColumns; ++column) values.push_back(row[column]);
    if (row.is_null(1) || row.blob(1) == row_digest(values).bytes) return;
    fault("model_call", "id " + std::to_string(row.integer(0)), "it is not as it was recorded");
  }

  void fault(std::string table, std::string row, std::string what) {
    add_row_fault(verdict_, {std::move(table), std::move(row), std::move(what)});
  }

  Engine& engine_;
  const base::StopToken& stop_;
  RowVerdict verdict_;
  SealCheck seals_;
};

}  // namespace

base::Result<RowVerdict> RowVerify::verify(const Progress& progress, const base::StopToken& stop) {
  RowCheck check(engine_, stop);
  CLEVER_ASSIGN(const EngineFacts facts, engine_.facts());
  // Rows of an older schema are checked after its upgrade.
  if (facts.schema_version < kFirstWithDigests) return std::move(check.verdict());
  progress("verifying rows", 0, 0);
  CLEVER_TRY(check.commands());
  CLEVER_TRY(check.calls());
  CLEVER_TRY(check.sums());
  CLEVER_TRY(check.access(clock_));
  CLEVER_TRY(check.seals().deleted_rows());
  CLEVER_TRY(check.seals().budgets());
  CLEVER_TRY(check.seals().digests());
  CLEVER_TRY(check.seals().tombstones());
  CLEVER_TRY(check.seals().leases());
  CLEVER_ASSIGN(ProjectionCheck projections, ProjectionCheck::open(kinds_, clock_));
  CLEVER_ASSIGN(const Rows plans,
                engine_.query(statement("SELECT plan FROM journal ORDER BY plan"), stop));
  for (std::size_t i = 0; i < plans.size(); ++i) {
    CLEVER_TRY(check_not_stopped(stop));
    progress("verifying projections", i, plans.size());
    const auto plan = id_of<model::PlanId>(plans[i].blob(0));
    CLEVER_TRY(engine_.read(
        [&](Snapshot& view) -> base::Result<void> {
          CLEVER_TRY(check.epoch(view, plan));
          CLEVER_TRY(check.seals().lease(view, plan));
          return projections.check(view, plan, check.verdict());
        },
        stop));
  }
  return std::move(check.verdict());
}

}  // namespace clever::storage
