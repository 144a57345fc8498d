#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "model/effect_events.h"
#include "storage/unit_of_work.h"

// The jobs that run effects, as rows of the queue that src/worker serves. Written in the
// transaction that requests the effect.
namespace clever::storage {

/// Adds the job of an effect that requested one, and wakes the workers of its queue. Its key is
/// model::effect_key(), its body the effect's data. Does nothing while a job with that key exists.
void add_effect_job(UnitOfWork& unit, const model::EffectRequested& effect);

/// Adds it again, unless the job exists or the plan's inbox holds the effect's outcome.
void restore_effect_job(UnitOfWork& unit, const model::PlanId& plan,
                        const model::EffectRequested& effect);

/// The lane of a concurrency key: one of its jobs runs at a time. Lanes are per queue: a job must
/// never wait for one in a queue without workers.
[[nodiscard]] std::int64_t job_lane(std::string_view queue, std::string_view concurrency);

/// "jobs/QUEUE": notified when a claim may find jobs.
[[nodiscard]] std::string queue_topic(std::string_view queue);

}  // namespace clever::storage
