#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "model/effect_events.h"
#include "storage/unit_of_work.h"

// The jobs that run effects, as rows of the queue that src/worker serves: written in the
// transaction that requests the effect.
namespace clever::storage {

/// Adds the job of an effect that asked for one and wakes those who serve its queue. Its key is
/// model::effect_key(), its body the effect's data. Nothing happens while a job with that key is
/// there.
void add_effect_job(UnitOfWork& unit, const model::EffectRequested& effect);

/// Adds it again, unless it is there or the plan's inbox holds the effect's outcome.
void restore_effect_job(UnitOfWork& unit, const model::PlanId& plan,
                        const model::EffectRequested& effect);

/// The lane of a concurrency key: of its jobs one runs at a time. Of one queue: a job must never
/// wait for one in a queue that nobody serves.
[[nodiscard]] std::int64_t job_lane(std::string_view queue, std::string_view concurrency);

/// "jobs/QUEUE": notified when there may be something to claim.
[[nodiscard]] std::string queue_topic(std::string_view queue);

}  // namespace clever::storage
