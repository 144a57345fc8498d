#include "storage/internal/projection_check.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "storage/database_url.h"
#include "storage/internal/event_rows.h"
#include "storage/keys.h"
#include "storage/projections.h"
#include "storage/sqlite/sqlite_engine.h"

namespace clever::storage::internal {
namespace {

constexpr std::size_t kMostRowFaults = 100;

/// A projection: the rows of one plan, key columns first.
struct ProjectedTable {
  std::string_view name;
  std::size_t keys;
  std::vector<std::string_view> columns;
  Sql rows;
  Sql removal;
};

const std::vector<ProjectedTable>& projected_tables() {
  static const std::vector<ProjectedTable> kTables{
      {"decision",
       1,
       {"id", "parent", "sequence", "kind", "question", "chosen", "confidence", "superseded",
        "data"},
       "SELECT id, parent, sequence, kind, question, chosen, confidence, superseded, data "
       "FROM decision WHERE plan = $1 ORDER BY id",
       "DELETE FROM decision WHERE plan = $1"},
      {"change_entry",
       2,
       {"changeset", "sequence", "path", "moved_from", "operation", "before_mode", "before_hash",
        "before_object", "after_mode", "after_hash", "after_object", "tool", "decision", "time"},
       "SELECT changeset, sequence, path, moved_from, operation, before_mode, before_hash, "
       "before_object, after_mode, after_hash, after_object, tool, decision, time "
       "FROM change_entry WHERE changeset IN (SELECT id FROM changeset WHERE plan = $1) "
       "ORDER BY changeset, sequence",
       "DELETE FROM change_entry WHERE changeset IN (SELECT id FROM changeset WHERE plan = $1)"},
      {"changeset",
       1,
       {"id", "decision", "entries", "started", "sealed", "digest"},
       "SELECT id, decision, entries, started, sealed, digest FROM changeset WHERE plan = $1 "
       "ORDER BY id",
       "DELETE FROM changeset WHERE plan = $1"},
      {"plan",
       1,
       {"id", "parent", "title", "action", "project", "phase", "state", "decisions", "spent",
        "created", "updated", "sequence"},
       "SELECT id, parent, title, action, project, phase, state, decisions, spent, created, "
       "updated, sequence FROM plan WHERE id = $1",
       "DELETE FROM plan WHERE id = $1"},
      {"effect",
       1,
       {"id", "kind", "data", "requested", "settled"},
       "SELECT id, kind, data, requested, settled FROM effect WHERE plan = $1 ORDER BY id",
       "DELETE FROM effect WHERE plan = $1"},
      {"budget_entry",
       1,
       {"scope", "reserved", "spent", "tokens_reserved", "tokens_spent"},
       "SELECT scope, reserved, spent, tokens_reserved, tokens_spent FROM budget_entry "
       "WHERE plan = $1 ORDER BY scope",
       "DELETE FROM budget_entry WHERE plan = $1"},
      {"budget_reservation",
       1,
       {"sequence", "effect", "scopes", "money", "tokens", "time"},
       "SELECT sequence, effect, scopes, money, tokens, time FROM budget_reservation "
       "WHERE plan = $1 ORDER BY sequence",
       "DELETE FROM budget_reservation WHERE plan = $1"},
  };
  return kTables;
}

using KeyedRows = std::map<std::string, std::size_t>;

std::string key_text(const Rows& rows, std::size_t row, const ProjectedTable& table) {
  std::string text;
  for (std::size_t column = 0; column < table.keys; ++column) {
    const Value& value = rows.value(row, column);
    text += (column == 0 ? "" : ", ") + std::string(table.columns[column]) + " ";
    if (const auto* number = std::get_if<std::int64_t>(&value)) text += std::to_string(*number);
    if (const auto* words = std::get_if<std::string>(&value)) text += *words;
    if (const auto* blob = std::get_if<Blob>(&value)) text += ulid_of(blob->bytes).to_string();
  }
  return text;
}

KeyedRows keyed(const Rows& rows, const ProjectedTable& table) {
  KeyedRows result;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    result.emplace(key_text(rows, row, table), row);
  }
  return result;
}

class TableComparison {
 public:
  TableComparison(const ProjectedTable& table, const model::PlanId& plan, RowVerdict& verdict)
      : table_(table), plan_(plan), verdict_(verdict) {}

  void compare(const Rows& found, const Rows& expected) {
    const KeyedRows there = keyed(found, table_);
    const KeyedRows due = keyed(expected, table_);
    verdict_.rows += found.size();
    for (const auto& [key, row] : due) {
      const auto same = there.find(key);
      if (same == there.end()) {
        fault(key, "it is missing, or its key was changed");
      } else {
        compare_row(key, found, same->second, expected, row);
      }
    }
    for (const auto& [key, row] : there) {
      if (!due.contains(key)) fault(key, "no event of the plan gives it");
    }
  }

 private:
  void compare_row(const std::string& key, const Rows& found, std::size_t row, const Rows& expected,
                   std::size_t due) {
    for (std::size_t column = 0; column < table_.columns.size(); ++column) {
      if (found.value(row, column) == expected.value(due, column)) continue;
      fault(key, "its " + std::string(table_.columns[column]) + " is not what the events give");
    }
  }
  void fault(const std::string& key, std::string what) {
    add_row_fault(verdict_, {std::string(table_.name), key,
                             std::move(what) + " (plan " + plan_.to_string() + ")"});
  }

  const ProjectedTable& table_;
  const model::PlanId& plan_;
  RowVerdict& verdict_;
};

}  // namespace

void add_row_fault(RowVerdict& verdict, RowFault fault) {
  if (verdict.faults.size() < kMostRowFaults) verdict.faults.push_back(std::move(fault));
}

base::Result<ProjectionCheck> ProjectionCheck::open(const model::EventKinds& kinds,
                                                    base::Clock& clock) {
  CLEVER_ASSIGN(const DatabaseUrl memory, DatabaseUrl::parse("sqlite::memory:", "/"));
  CLEVER_ASSIGN(auto scratch, open_sqlite(memory, {}, clock));
  return ProjectionCheck(kinds, std::move(scratch));
}

base::Result<void> ProjectionCheck::check(Snapshot& view, const model::PlanId& plan,
                                          RowVerdict& verdict) {
  if (const auto projected = project_events(view, plan); !projected.ok()) {
    add_row_fault(verdict, {"event", "plan " + plan.to_string(),
                            "its events give no rows: " + projected.error().sentence()});
    return {};
  }
  for (const ProjectedTable& table : projected_tables()) {
    CLEVER_ASSIGN(const Rows found, view.query(table.rows, to_blob(plan)));
    CLEVER_ASSIGN(const Rows expected, scratch_->query(statement(table.rows, to_blob(plan))));
    TableComparison(table, plan, verdict).compare(found, expected);
  }
  return clear(plan);
}

base::Result<void> ProjectionCheck::project_events(Snapshot& view, const model::PlanId& plan) {
  std::int64_t after = 0;
  while (true) {
    CLEVER_ASSIGN(auto events, read_events(view, plan, after + 1, kEventsAtOnce));
    if (events.empty()) return {};
    UnitOfWork unit;
    for (model::StoredEvent& event : events) {
      after = event.sequence;
      CLEVER_TRY(kinds_.to_newest(event));
      CLEVER_TRY(project(event, Projecting::kRebuild, unit));
    }
    if (!unit.statements().empty()) CLEVER_TRY(scratch_->commit(std::move(unit)));
  }
}

base::Result<void> ProjectionCheck::clear(const model::PlanId& plan) {
  UnitOfWork unit;
  for (const ProjectedTable& table : projected_tables()) unit.run(table.removal, to_blob(plan));
  CLEVER_TRY(scratch_->commit(std::move(unit)));
  return {};
}

}  // namespace clever::storage::internal
