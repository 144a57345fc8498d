#include "engine/effects/internal/effect_job.h"

#include "base/check.h"
#include "engine/error_recovery_service.h"

namespace clever::engine::internal {

EffectJob::~EffectJob() {
  if (done_) settle(plan::EffectStopped{.effect = order_.id});
}

void EffectJob::settle(plan::Command outcome) {
  CLEVER_CHECK(done_, "an effect ended twice");
  EffectRunner::Done done = std::exchange(done_, nullptr);
  done(std::move(outcome));
}

plan::Command EffectJob::failure(const EffectOrder& order, const base::Error& error) {
  if (order.stop.stop_requested() || error.code() == base::ErrorCode::kCancelled) {
    return plan::EffectStopped{.effect = order.id};
  }
  return plan::RecordError{.effect = order.id,
                           .category = category_of(error.code()),
                           .message = error.sentence(),
                           .lasts = lasts(error.code())};
}

void BlockingEffect::start(std::shared_ptr<EffectJob> job) {
  const auto posted = scheduler_.blocking().post([this, job] {
    if (job->order().stop.stop_requested()) {
      return job->fail(base::cancelled("stopped before it began"));
    }
    auto outcome = run(job->order());
    if (outcome.ok()) {
      job->settle(std::move(outcome).value());
    } else {
      job->fail(outcome.error());
    }
  });
  if (!posted.ok()) job->fail(posted.error());
}

}  // namespace clever::engine::internal
