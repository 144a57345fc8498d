#include "provider/model_service.h"

namespace clever::provider {

ModelService::ModelService(const Parts& parts, BackendFactory backends)
    : registry_(std::move(backends)),
      circuits_(parts.clock, parts.random),
      alarms_(parts.timers, parts.executor),
      governor_(governor_parts(parts)),
      client_(registry_, governor_, parts.clock) {
  if (parts.store != nullptr) {
    resets_.emplace(*parts.store,
                    [this](const std::string& provider) { governor_.reset(provider); });
  }
}

Governor::Parts ModelService::governor_parts(const Parts& parts) {
  if (parts.store != nullptr) shared_.emplace(*parts.store, parts.clock);
  return {.clock = parts.clock,
          .random = parts.random,
          .circuits = circuits_,
          .alarms = alarms_,
          .shared = shared_ ? &shared_->limits : nullptr,
          .news = shared_ ? &shared_->circuits : nullptr};
}

}  // namespace clever::provider
