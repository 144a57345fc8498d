#include "storage/tombstones.h"

#include <chrono>
#include <utility>

#include "base/crash_point.h"
#include "model/retention_events.h"
#include "model/work_events.h"
#include "storage/internal/filled_id.h"
#include "storage/internal/plan_row.h"
#include "storage/journal.h"
#include "storage/keys.h"
#include "storage/leases.h"
#include "storage/retention.h"
#include "storage/row_digest.h"

namespace clever::storage {
namespace {

using model::PlanId;
using model::Tombstone;

constexpr std::chrono::seconds kBurialLease{60};

// Events that keep a family from being deleted, whatever its root's state. An expiry is no work.
constexpr Sql kDue =
    "SELECT id, parent, title, action, project, phase, state, decisions, spent, created, updated, "
    "sequence FROM plan p WHERE p.parent IS NULL AND p.state IN ('applied', 'cancelled') "
    "AND (SELECT max(e.time) FROM event e WHERE e.plan = p.id AND e.kind <> 'payloads.expired') "
    "< $1 AND NOT EXISTS ("
    "WITH RECURSIVE family(id, state) AS (SELECT q.id, q.state FROM plan q WHERE q.id = p.id "
    "UNION ALL SELECT q.id, q.state FROM plan q JOIN family f ON q.parent = f.id) "
    "SELECT 1 FROM family f WHERE f.state IN ('errored', 'constrained') "
    "OR EXISTS (SELECT 1 FROM workspace w WHERE w.plan = f.id AND (w.state = 'open' OR w.dirty <> "
    "0)) "
    "OR EXISTS (SELECT 1 FROM budget_reservation r WHERE r.plan = f.id)) "
    "ORDER BY p.updated, p.id LIMIT $2";

constexpr Refusal kNotDeletable{base::ErrorCode::kConflict,
                                "only journals of applied and cancelled plans are deleted"};
constexpr Refusal kMovedMeanwhile{base::ErrorCode::kConflict,
                                  "the plan gained events while it was deleted"};

constexpr Sql kRootHasEnded =
    "UPDATE plan SET sequence = sequence WHERE id = $1 AND state IN ('applied', 'cancelled') "
    "AND NOT EXISTS (SELECT 1 FROM budget_reservation WHERE plan = $1)";
constexpr Sql kDeleteHead =
    "DELETE FROM journal WHERE plan = $1 AND sequence = $2 AND hash = $3 AND epoch = $4";
constexpr Sql kEndLease =
    "UPDATE lease SET epoch = epoch + 1, owner = NULL, expires = 0, holder_digest = $3 "
    "WHERE name = $1 AND epoch = $2";
constexpr Sql kDeletions[] = {
    "DELETE FROM job WHERE effect IN (SELECT id FROM effect WHERE plan = $1)",
    "DELETE FROM effect WHERE plan = $1",
    "DELETE FROM seal WHERE source = 'inbox' AND number IN (SELECT id FROM inbox WHERE plan = $1)",
    "DELETE FROM inbox WHERE plan = $1",
    "DELETE FROM change_entry WHERE changeset IN (SELECT id FROM changeset WHERE plan = $1)",
    "DELETE FROM changeset WHERE plan = $1",
    "DELETE FROM decision WHERE plan = $1",
    "DELETE FROM snapshot WHERE plan = $1",
    "DELETE FROM event_body WHERE plan = $1",
    "DELETE FROM event WHERE plan = $1",
    "DELETE FROM plan WHERE id = $1"};
constexpr Sql kShares =
    "SELECT scope, spent, tokens_spent FROM budget_entry WHERE plan = $1 ORDER BY scope";
constexpr Sql kLastStone = "SELECT number, hash FROM tombstone ORDER BY number DESC LIMIT 1";
constexpr Sql kPutStone =
    "INSERT INTO tombstone (number, plan, data, hash) VALUES ($1, $2, $3, $4)";
constexpr Sql kFindStone =
    "SELECT plan, data FROM tombstone WHERE plan >= $1 AND plan <= $2 ORDER BY plan LIMIT 1";

// A plan's state under its lease.
struct Ending {
  Lease lease{};
  JournalState journal{};
  Tombstone stone{};
};

base::Result<std::vector<std::string>> commits_of(const std::vector<model::StoredEvent>& events) {
  std::vector<std::string> commits;
  for (const model::StoredEvent& event : events) {
    if (event.kind == model::ApplyEnded::kKind) {
      CLEVER_ASSIGN(const auto ended, model::ApplyEnded::parse(event.data));
      if (!ended.commit.empty()) commits.push_back(ended.commit);
      for (const model::ProjectHead& one : ended.projects) {
        if (!one.commit.empty()) commits.push_back(one.commit);
      }
    } else if (event.kind == model::ApplyUndone::kKind) {
      CLEVER_ASSIGN(const auto undone, model::ApplyUndone::parse(event.data));
      if (!undone.commit.empty()) commits.push_back(undone.commit);
      for (const model::ProjectHead& one : undone.projects) {
        if (!one.commit.empty()) commits.push_back(one.commit);
      }
    }
  }
  return commits;
}

class Burial {
 public:
  Burial(Engine& engine, base::Clock& clock, const OwnerLock& owner, const base::StopToken& stop)
      : engine_(engine), clock_(clock), owner_(owner), stop_(stop), leases_(engine) {}

  base::Result<DeletedJournals> run(const PlanId& root, const Tombstones::AuditOf& audit) {
    CLEVER_ASSIGN(std::vector<PlanId> family, Retention::family(engine_, root, stop_));
    auto done = take_all(family, audit);
    if (done.ok()) done = delete_all(root);
    if (!done.ok()) release_all();
    CLEVER_TRY(done);
    DeletedJournals deleted{.plans = endings_.size()};
    for (const Ending& ending : endings_) {
      deleted.events += static_cast<std::uint64_t>(ending.stone.events);
    }
    return deleted;
  }

 private:
  // Takes the root first (last in the family): the root's owner drives the whole family.
  base::Result<void> take_all(const std::vector<PlanId>& family, const Tombstones::AuditOf& audit) {
    for (std::size_t i = family.size(); i > 0; --i) {
      Ending& ending = endings_.emplace_back();
      CLEVER_ASSIGN(ending.lease, leases_.acquire(family[i - 1], owner_, kBurialLease, stop_));
      base::crash_point("tombstones.leased");
    }
    for (Ending& ending : endings_) CLEVER_TRY(describe(ending, audit));
    base::crash_point("tombstones.read");
    return {};
  }

  base::Result<void> describe(Ending& ending, const Tombstones::AuditOf& audit) {
    const PlanId plan = plan_of(ending.lease.name);
    CLEVER_ASSIGN(const PlanSummary summary, Plans(engine_).find(plan, stop_));
    CLEVER_ASSIGN(const LoadedPlan loaded, Journal(engine_, clock_).load(plan, stop_));
    CLEVER_ASSIGN(const Rows shares, engine_.query(statement(kShares, to_blob(plan)), stop_));
    ending.journal = loaded.state;
    Tombstone& stone = ending.stone;
    stone = {.plan = plan,
             .parent = summary.parent,
             .project = summary.project,
             .state = summary.state,
             .created = summary.created,
             .deleted = std::chrono::floor<std::chrono::microseconds>(clock_.wall_now()),
             .events = loaded.state.head.sequence,
             .head = loaded.state.head.hash};
    stone.epoch = ending.lease.epoch + 1;
    for (const Row& row : shares) {
      stone.shares.push_back({row.text(0), row.integer(1), row.integer(2)});
    }
    CLEVER_ASSIGN(stone.commits, commits_of(loaded.events));
    CLEVER_ASSIGN(stone.audit, audit(loaded.events));
    return {};
  }

  base::Result<void> delete_all(const PlanId& root) {
    CLEVER_ASSIGN(const Rows last, engine_.query(statement(kLastStone), stop_));
    std::int64_t number = last.empty() ? 0 : last[0].integer(0);
    Blob hash = last.empty() ? to_blob(base::Sha256Digest()) : Blob{last[0].blob(1)};
    UnitOfWork unit;
    unit.require(1, kNotDeletable, kRootHasEnded, to_blob(root));
    for (const Ending& ending : endings_) {
      const PlanId plan = ending.stone.plan;
      // Changes lease, then journal: the order in which every process that takes a lease changes
      // them.
      const std::string& name = ending.lease.name;
      unit.require(1, kMovedMeanwhile, kEndLease, name, ending.lease.epoch,
                   holder_digest(name, Null{}, owner_.owner().host, owner_.owner().boot));
      unit.require(1, kMovedMeanwhile, kDeleteHead, to_blob(plan), ending.journal.head.sequence,
                   to_blob(ending.journal.head.hash), ending.lease.epoch);
      const std::string data = ending.stone.to_text();
      hash = tombstone_hash(hash, ++number, plan, data);
      unit.run(kPutStone, number, to_blob(plan), Blob{data}, hash);
    }
    // Deletes subplans before the plans they refer to.
    for (std::size_t i = endings_.size(); i > 0; --i) {
      for (const Sql& deletion : kDeletions)
        unit.run(deletion, to_blob(endings_[i - 1].stone.plan));
    }
    unit.notify(std::string(kPlansTopic));
    for (const Ending& ending : endings_) unit.notify(ending.lease.name);
    CLEVER_TRY(engine_.commit(std::move(unit), stop_));
    base::crash_point("tombstones.deleted");
    return {};
  }

  // A lease that could not be released expires.
  void release_all() {
    for (const Ending& ending : endings_) {
      if (ending.lease.epoch != 0) static_cast<void>(leases_.release(ending.lease, owner_, stop_));
    }
  }

  Engine& engine_;
  base::Clock& clock_;
  const OwnerLock& owner_;
  const base::StopToken& stop_;
  Leases leases_;
  std::vector<Ending> endings_;
};

}  // namespace

base::Result<std::vector<PlanSummary>> Tombstones::due(Engine& engine, model::Timestamp before,
                                                       std::size_t limit,
                                                       const base::StopToken& stop) {
  CLEVER_ASSIGN(const Rows rows, engine.query(statement(kDue, model::to_microseconds(before),
                                                        static_cast<std::int64_t>(limit)),
                                              stop));
  std::vector<PlanSummary> plans;
  for (const Row& row : rows) plans.push_back(internal::summary_of(row));
  return plans;
}

base::Result<DeletedJournals> Tombstones::bury(const PlanId& plan, const AuditOf& audit,
                                               const base::StopToken& stop) {
  return Burial(engine_, clock_, owner_, stop).run(plan, audit);
}

base::Result<std::uint64_t> Tombstones::count(Engine& engine, const base::StopToken& stop) {
  CLEVER_ASSIGN(const Rows rows, engine.query(statement("SELECT count(*) FROM tombstone"), stop));
  return static_cast<std::uint64_t>(rows[0].integer(0));
}

base::Result<std::optional<Tombstone>> Tombstones::find_by_prefix(Engine& engine,
                                                                  const std::string& prefix,
                                                                  const base::StopToken& stop) {
  CLEVER_ASSIGN(Blob first, internal::filled_id<PlanId>(prefix, '0'));
  CLEVER_ASSIGN(Blob last, internal::filled_id<PlanId>(prefix.empty() ? "7" : prefix, 'Z'));
  CLEVER_ASSIGN(const Rows rows,
                engine.query(statement(kFindStone, std::move(first), std::move(last)), stop));
  if (rows.empty()) return std::optional<Tombstone>();
  CLEVER_ASSIGN(Tombstone stone, Tombstone::parse(id_of<PlanId>(rows[0].blob(0)), rows[0].blob(1)));
  return std::optional(std::move(stone));
}

}  // namespace clever::storage
