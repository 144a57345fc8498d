#include "model/change_events.h"
#include "storage/keys.h"
#include "storage/projections/projections.h"

namespace clever::storage::projections {
namespace {

using model::FileState;

constexpr Refusal kClosed{base::ErrorCode::kConflict,
                          "the changeset is sealed, or is none of this plan"};
constexpr Refusal kGrew{
    base::ErrorCode::kConflict,
    "the changeset is sealed already, got another entry meanwhile, or is none of this plan"};

// Numbered by the row's counter, so that concurrent recorders leave no gap.
constexpr Sql kInsertEntry =
    "INSERT INTO change_entry (changeset, sequence, path, moved_from, operation, before_mode, "
    "before_hash, before_object, after_mode, after_hash, after_object, tool, decision, time) "
    "VALUES ($1, (SELECT entries - $2 FROM changeset WHERE id = $1), $3, $4, $5, $6, $7, $8, $9, "
    "$10, $11, $12, $13, $14)";

Value mode_of(const std::optional<FileState>& state) {
  return state ? Value(static_cast<std::int64_t>(state->mode)) : Value(Null{});
}
Value hash_of(const std::optional<FileState>& state) {
  return state ? Value(to_blob(state->hash)) : Value(Null{});
}
Value object_of(const std::optional<FileState>& state) {
  return state ? Value(state->object) : Value(Null{});
}

}  // namespace

base::Result<void> changeset_started(const model::StoredEvent& event, Projecting /*why*/,
                                     UnitOfWork& unit) {
  CLEVER_ASSIGN(const auto started, model::ChangesetStarted::parse(event.data));
  unit.require(1, kNotCreated, "UPDATE plan SET updated = $2, sequence = $3 WHERE id = $1",
               to_blob(event.plan), model::to_microseconds(event.time), event.sequence);
  unit.run(
      "INSERT INTO changeset (id, plan, decision, entries, started) VALUES ($1, $2, $3, 0, $4)",
      to_blob(started.id), to_blob(event.plan), to_blob_or_null(started.decision), event.sequence);
  return {};
}

base::Result<void> changes_recorded(const model::StoredEvent& event, Projecting /*why*/,
                                    UnitOfWork& unit) {
  CLEVER_ASSIGN(auto recorded, model::ChangesRecorded::parse(event.data));
  const auto count = static_cast<std::int64_t>(recorded.entries.size());
  unit.require(1, kClosed,
               "UPDATE changeset SET entries = entries + $3 "
               "WHERE id = $1 AND plan = $2 AND sealed IS NULL",
               to_blob(recorded.changeset), to_blob(event.plan), count);
  for (std::int64_t i = 0; i < count; ++i) {
    model::ChangeEntry& entry = recorded.entries[static_cast<std::size_t>(i)];
    const Value from = entry.from ? Value(Blob{*entry.from}) : Value(Null{});
    unit.run(kInsertEntry, to_blob(recorded.changeset), count - 1 - i, Blob{entry.path}, from,
             to_string(entry.operation), mode_of(entry.before), hash_of(entry.before),
             object_of(entry.before), mode_of(entry.after), hash_of(entry.after),
             object_of(entry.after), entry.tool, to_blob_or_null(entry.decision),
             model::to_microseconds(event.time));
  }
  return {};
}

base::Result<void> changeset_sealed(const model::StoredEvent& event, Projecting /*why*/,
                                    UnitOfWork& unit) {
  CLEVER_ASSIGN(const auto sealed, model::ChangesetSealed::parse(event.data));
  unit.require(1, kGrew,
               "UPDATE changeset SET sealed = $4, digest = $5 "
               "WHERE id = $1 AND plan = $2 AND sealed IS NULL AND entries = $3",
               to_blob(sealed.changeset), to_blob(event.plan), sealed.entries, event.sequence,
               to_blob(sealed.digest));
  return {};
}

}  // namespace clever::storage::projections
