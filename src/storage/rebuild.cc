#include "storage/rebuild.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <vector>

#include "model/budget_events.h"
#include "model/effect_events.h"
#include "storage/effect_jobs.h"
#include "storage/internal/event_rows.h"
#include "storage/keys.h"
#include "storage/projections.h"

namespace clever::storage {
namespace {

using model::EffectRequested;
using model::EffectSettled;
using model::PlanId;
using model::StoredEvent;

constexpr Refusal kMoved{base::ErrorCode::kConflict, "the plan gained events while it was rebuilt"};

// Changes lease, then journal: the order in which every process that takes a lease changes them.
constexpr Sql kRaiseLease =
    "INSERT INTO lease (name, epoch, owner, host, boot, expires) VALUES ($1, $2, NULL, '', '', 0) "
    "ON CONFLICT (name) DO UPDATE SET epoch = excluded.epoch, owner = NULL, expires = 0, "
    "holder_digest = NULL "
    "WHERE lease.epoch < excluded.epoch";
constexpr Sql kRaiseJournal =
    "UPDATE journal SET epoch = (SELECT epoch FROM lease WHERE name = $3) "
    "WHERE plan = $1 AND sequence = $2";

// The projections of one plan, gathered event by event.
class PlanRebuild {
 public:
  PlanRebuild(const PlanId& plan, const model::EventKinds& kinds) : plan_(plan), kinds_(kinds) {}

  // Applies the events that the journal gained since the last call.
  base::Result<void> catch_up(Snapshot& view) {
    CLEVER_ASSIGN(const JournalState state, internal::read_state(view, plan_));
    epoch_ = std::max(epoch_, state.epoch);
    sequence_ = state.head.sequence;
    while (true) {
      CLEVER_ASSIGN(auto events,
                    internal::read_events(view, plan_, after_ + 1, internal::kEventsAtOnce));
      if (events.empty()) break;
      for (StoredEvent& event : events) CLEVER_TRY(add(event));
    }
    return {};
  }

  [[nodiscard]] UnitOfWork unit() const {
    UnitOfWork unit;
    unit.run(kRaiseLease, plan_name(plan_), epoch_);
    unit.require(1, kMoved, kRaiseJournal, to_blob(plan_), sequence_, plan_name(plan_));
    unit.run("DELETE FROM decision WHERE plan = $1", to_blob(plan_));
    unit.run(
        "DELETE FROM change_entry WHERE changeset IN (SELECT id FROM changeset WHERE plan = $1)",
        to_blob(plan_));
    unit.run("DELETE FROM changeset WHERE plan = $1", to_blob(plan_));
    unit.run("DELETE FROM plan WHERE id = $1", to_blob(plan_));
    unit.run("DELETE FROM effect WHERE plan = $1", to_blob(plan_));
    unit.run("DELETE FROM budget_entry WHERE plan = $1", to_blob(plan_));
    unit.run("DELETE FROM budget_reservation WHERE plan = $1", to_blob(plan_));
    for (const Statement& statement : projected_) unit.add(statement);
    for (const auto& [id, effect] : jobs_) restore_effect_job(unit, plan_, effect);
    unit.notify(plan_name(plan_));
    return unit;
  }

  [[nodiscard]] std::uint64_t events() const { return events_; }

 private:
  base::Result<void> add(StoredEvent& event) {
    CLEVER_TRY(kinds_.to_newest(event));
    UnitOfWork one;
    CLEVER_TRY(project(event, Projecting::kRebuild, one));
    std::ranges::copy(one.statements(), std::back_inserter(projected_));
    if (event.kind == EffectRequested::kKind) {
      CLEVER_ASSIGN(EffectRequested effect, EffectRequested::parse(event.data));
      if (effect.job) jobs_.insert_or_assign(effect.id, std::move(effect));
    } else if (event.kind == EffectSettled::kKind) {
      CLEVER_ASSIGN(const EffectSettled settled, EffectSettled::parse(event.data));
      jobs_.erase(settled.id);
    }
    epoch_ = std::max(epoch_, event.epoch);
    after_ = event.sequence;
    ++events_;
    return {};
  }

  const PlanId plan_;
  const model::EventKinds& kinds_;
  std::vector<Statement> projected_;
  // Only of effects that are not settled.
  std::map<model::EffectId, EffectRequested> jobs_;
  std::int64_t epoch_ = 0;
  std::int64_t sequence_ = 0;
  std::int64_t after_ = 0;
  std::uint64_t events_ = 0;
};

}  // namespace

base::Result<std::uint64_t> Rebuild::run_plan(const PlanId& plan, const base::StopToken& stop) {
  PlanRebuild rebuild(plan, kinds_);
  while (!stop.stop_requested()) {
    CLEVER_TRY(engine_.read([&](Snapshot& view) { return rebuild.catch_up(view); }, stop));
    const auto done = engine_.commit(rebuild.unit(), stop);
    if (done.ok()) return rebuild.events();
    if (done.error().message() != kMoved.message) return done.error();
  }
  return base::cancelled("stopped while rebuilding");
}

base::Result<Rebuild::Done> Rebuild::run(const Progress& progress, const base::StopToken& stop) {
  CLEVER_ASSIGN(const Rows plans,
                engine_.query(statement("SELECT plan FROM journal ORDER BY plan"), stop));
  Done done;
  for (const Row& row : plans) {
    const auto plan = id_of<PlanId>(row.blob(0));
    progress("rebuilding plans", done.plans, plans.size());
    CLEVER_ASSIGN(const std::uint64_t events,
                  run_plan(plan, stop).context("rebuilding plan " + plan.to_string()));
    done.events += events;
    ++done.plans;
  }
  CLEVER_TRY(drop_orphans(stop));
  CLEVER_TRY(sum_budgets(stop));
  return done;
}

base::Result<void> Rebuild::drop_orphans(const base::StopToken& stop) {
  UnitOfWork unit;
  unit.run(
      "DELETE FROM plan WHERE NOT EXISTS (SELECT 1 FROM journal WHERE journal.plan = plan.id)");
  unit.run(
      "DELETE FROM budget_entry "
      "WHERE NOT EXISTS (SELECT 1 FROM journal WHERE journal.plan = budget_entry.plan) "
      "AND NOT EXISTS (SELECT 1 FROM tombstone WHERE tombstone.plan = budget_entry.plan)");
  unit.run(
      "DELETE FROM budget_reservation "
      "WHERE NOT EXISTS (SELECT 1 FROM journal WHERE journal.plan = budget_reservation.plan)");
  CLEVER_TRY(engine_.commit(std::move(unit), stop));
  return {};
}

base::Result<void> Rebuild::sum_budgets(const base::StopToken& stop) {
  UnitOfWork unit;
  // Runs alone: shares in uncapped scopes change under no lock.
  unit.be_alone();
  unit.run(
      "UPDATE budget SET (reserved, spent, tokens_reserved, tokens_spent) = "
      "(SELECT COALESCE(SUM(e.reserved), 0), COALESCE(SUM(e.spent), 0), "
      "COALESCE(SUM(e.tokens_reserved), 0), COALESCE(SUM(e.tokens_spent), 0) "
      "FROM budget_entry e WHERE e.scope = budget.scope) "
      "WHERE cap < $1 OR token_cap < $1",
      model::kLargestAmount);
  CLEVER_TRY(engine_.commit(std::move(unit), stop));
  return {};
}

}  // namespace clever::storage
