#include "storage/changesets.h"

#include "storage/keys.h"

namespace clever::storage {
namespace {

using model::ChangeEntry;
using model::FileState;

constexpr Sql kChangesetsOfPlan =
    "SELECT id, plan, decision, entries, digest FROM changeset WHERE plan = $1 ORDER BY started, "
    "id";
constexpr Sql kPathsOfPlan =
    "SELECT DISTINCT change_entry.path FROM change_entry JOIN changeset "
    "ON changeset.id = change_entry.changeset WHERE changeset.plan = $1 "
    "ORDER BY change_entry.path LIMIT $2";
constexpr Sql kEntriesOfChangeset =
    "SELECT sequence, path, moved_from, operation, before_mode, before_hash, before_object, "
    "after_mode, after_hash, after_object, tool, decision, time "
    "FROM change_entry WHERE changeset = $1 ORDER BY sequence";

ChangesetFacts facts_of(const Row& row) {
  return {.id = id_of<model::ChangesetId>(row.blob(0)),
          .plan = id_of<model::PlanId>(row.blob(1)),
          .decision = id_of<model::DecisionId>(row.blob(2)),
          .entries = row.integer(3),
          .digest = row.is_null(4) ? std::nullopt : std::optional(digest_of(row.blob(4)))};
}

std::optional<FileState> state_of(const Row& row, std::size_t column) {
  if (row.is_null(column)) return std::nullopt;
  return FileState{.mode = static_cast<std::uint32_t>(row.integer(column)),
                   .hash = digest_of(row.blob(column + 1)),
                   .object = row.text(column + 2)};
}

base::Result<ChangeEntry> entry_of(const Row& row) {
  CLEVER_ASSIGN(const auto operation, model::change_operation_from_string(row.text(3)));
  return ChangeEntry{.path = row.blob(1),
                     .from = row.is_null(2) ? std::nullopt : std::optional(row.blob(2)),
                     .operation = operation,
                     .before = state_of(row, 4),
                     .after = state_of(row, 7),
                     .tool = row.text(10),
                     .decision = id_of<model::DecisionId>(row.blob(11)),
                     .sequence = row.integer(0),
                     .time = model::to_timestamp(row.integer(12))};
}

}  // namespace

base::Result<std::vector<ChangesetFacts>> Changesets::of_plan(const model::PlanId& plan,
                                                              const base::StopToken& stop,
                                                              base::Deadline deadline) {
  CLEVER_ASSIGN(const Rows rows,
                engine_.query(statement(kChangesetsOfPlan, to_blob(plan)), stop, deadline));
  std::vector<ChangesetFacts> found;
  for (const Row& row : rows) found.push_back(facts_of(row));
  return found;
}

base::Result<std::vector<std::string>> Changesets::paths(const model::PlanId& plan,
                                                         std::int64_t most,
                                                         const base::StopToken& stop,
                                                         base::Deadline deadline) {
  CLEVER_ASSIGN(const Rows rows,
                engine_.query(statement(kPathsOfPlan, to_blob(plan), most), stop, deadline));
  std::vector<std::string> found;
  for (const Row& row : rows) found.push_back(row.blob(0));
  return found;
}

base::Result<std::vector<ChangeEntry>> Changesets::entries(const model::ChangesetId& id,
                                                           const base::StopToken& stop,
                                                           base::Deadline deadline) {
  CLEVER_ASSIGN(const Rows rows,
                engine_.query(statement(kEntriesOfChangeset, to_blob(id)), stop, deadline));
  std::vector<ChangeEntry> found;
  found.reserve(rows.size());
  for (const Row& row : rows) {
    CLEVER_ASSIGN(ChangeEntry entry, entry_of(row));
    found.push_back(std::move(entry));
  }
  return found;
}

}  // namespace clever::storage
