#include "model/effect_events.h"
#include "storage/effect_jobs.h"
#include "storage/keys.h"
#include "storage/projections/projections.h"

namespace clever::storage::projections {
namespace {

constexpr Sql kInsertEffect =
    "INSERT INTO effect (id, plan, kind, data, requested) VALUES ($1, $2, $3, $4, $5)";
// The rows of the plan are deleted by now; a row with this id was edited by hand.
constexpr Sql kReplaceEffect =
    "INSERT INTO effect (id, plan, kind, data, requested) VALUES ($1, $2, $3, $4, $5) "
    "ON CONFLICT (id) DO UPDATE SET plan = excluded.plan, kind = excluded.kind, "
    "data = excluded.data, requested = excluded.requested, settled = NULL";

constexpr Refusal kNotOpen{base::ErrorCode::kConflict,
                           "an effect is settled once, after this plan requested it"};

}  // namespace

base::Result<void> effect_requested(const model::StoredEvent& event, Projecting why,
                                    UnitOfWork& unit) {
  CLEVER_ASSIGN(model::EffectRequested effect, model::EffectRequested::parse(event.data));
  if (why == Projecting::kAppend && effect.job) add_effect_job(unit, effect);
  unit.run(why == Projecting::kAppend ? kInsertEffect : kReplaceEffect, to_blob(effect.id),
           to_blob(event.plan), std::move(effect.kind), Blob{std::move(effect.data)},
           event.sequence);
  return {};
}

base::Result<void> effect_settled(const model::StoredEvent& event, Projecting /*why*/,
                                  UnitOfWork& unit) {
  CLEVER_ASSIGN(const auto settled, model::EffectSettled::parse(event.data));
  unit.require(1, kNotOpen,
               "UPDATE effect SET settled = $3 WHERE id = $1 AND plan = $2 AND settled IS NULL",
               to_blob(settled.id), to_blob(event.plan), event.sequence);
  return {};
}

}  // namespace clever::storage::projections
