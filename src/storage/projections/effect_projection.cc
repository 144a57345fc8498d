#include "model/effect_events.h"
#include "storage/effect_jobs.h"
#include "storage/keys.h"
#include "storage/projections/projections.h"

namespace clever::storage::projections {
namespace {

constexpr Refusal kNotOpen{base::ErrorCode::kConflict,
                           "an effect is settled once, after this plan requested it"};

}  // namespace

base::Result<void> effect_requested(const model::StoredEvent& event, Projecting why,
                                    UnitOfWork& unit) {
  CLEVER_ASSIGN(model::EffectRequested effect, model::EffectRequested::parse(event.data));
  if (why == Projecting::kAppend && effect.job) add_effect_job(unit, effect);
  unit.run("INSERT INTO effect (plan, id, kind, data, requested) VALUES ($1, $2, $3, $4, $5)",
           to_blob(event.plan), to_blob(effect.id), std::move(effect.kind),
           Blob{std::move(effect.data)}, event.sequence);
  return {};
}

base::Result<void> effect_settled(const model::StoredEvent& event, Projecting /*why*/,
                                  UnitOfWork& unit) {
  CLEVER_ASSIGN(const auto settled, model::EffectSettled::parse(event.data));
  unit.require(1, kNotOpen,
               "UPDATE effect SET settled = $3 WHERE plan = $1 AND id = $2 AND settled IS NULL",
               to_blob(event.plan), to_blob(settled.id), event.sequence);
  return {};
}

}  // namespace clever::storage::projections
