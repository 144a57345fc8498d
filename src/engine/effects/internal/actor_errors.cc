#include "engine/effects/internal/actor_errors.h"

#include "engine/error_recovery_service.h"

namespace clever::engine::internal {

plan::Command actor_failure(const EffectOrder& order, const base::Error& error) {
  plan::Command failure = EffectJob::failure(order, error);
  if (auto* record = std::get_if<plan::RecordError>(&failure)) {
    const bool is_late = error.code() == base::ErrorCode::kDeadlineExceeded;
    record->category = category_of(is_late ? tool::Outcome::kTimedOut : tool::Outcome::kFailed);
  }
  return failure;
}

}  // namespace clever::engine::internal
