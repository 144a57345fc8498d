#include "storage/effect_jobs.h"

#include "base/sha256.h"
#include "storage/keys.h"

namespace clever::storage {
namespace {

#define CLEVER_INTO_JOB                                                                    \
  "INSERT INTO job (queue, key, priority, ready, state, attempts, max_attempts, expires, " \
  "concurrency, lane, effect, body, enqueued) "

constexpr Sql kAddJob = CLEVER_INTO_JOB
    "VALUES ($1, $2, $3, clever_now(), 0, 0, $4, 0, $5, $6, $7, $8, clever_now()) "
    "ON CONFLICT (key) WHERE key IS NOT NULL DO NOTHING";

constexpr Sql kRestoreJob = CLEVER_INTO_JOB
    "SELECT $1, $2, $3, clever_now(), 0, 0, $4, 0, $5, $6, $7, $8, clever_now() "
    "WHERE NOT EXISTS (SELECT 1 FROM inbox WHERE plan = $9 AND key = $2) "
    "ON CONFLICT (key) WHERE key IS NOT NULL DO NOTHING";

#undef CLEVER_INTO_JOB

Statement job_insertion(Sql sql, const model::EffectRequested& effect) {
  const model::JobRequest job = effect.job.value_or(model::JobRequest());
  const bool free = job.concurrency.empty();
  return statement(sql, job.queue, model::effect_key(effect.id), job.priority, job.max_attempts,
                   free ? Value(Null{}) : Value(job.concurrency),
                   free ? Value(Null{}) : Value(job_lane(job.queue, job.concurrency)),
                   to_blob(effect.id), Blob{effect.data});
}

void wake_queue(UnitOfWork& unit, const model::EffectRequested& effect) {
  if (effect.job) unit.notify(queue_topic(effect.job->queue));
}

}  // namespace

void add_effect_job(UnitOfWork& unit, const model::EffectRequested& effect) {
  unit.add(job_insertion(kAddJob, effect));
  wake_queue(unit, effect);
}

void restore_effect_job(UnitOfWork& unit, const model::PlanId& plan,
                        const model::EffectRequested& effect) {
  Statement restore = job_insertion(kRestoreJob, effect);
  restore.parameters.emplace_back(to_blob(plan));
  unit.add(std::move(restore));
  wake_queue(unit, effect);
}

std::int64_t job_lane(std::string_view queue, std::string_view concurrency) {
  std::string text(queue);
  text += '\0';
  text += concurrency;
  const base::Sha256Digest digest = base::sha256(text);
  std::uint64_t lane = 0;
  for (std::size_t i = 0; i < sizeof lane; ++i) lane = lane << 8U | digest.bytes()[i];
  return static_cast<std::int64_t>(lane);
}

std::string queue_topic(std::string_view queue) { return "jobs/" + std::string(queue); }

}  // namespace clever::storage
