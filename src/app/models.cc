#include "app/models.h"

#include "provider/adapter.h"
#include "provider/http_backend.h"
#include "provider/scripted/scripted_backend.h"

namespace clever::app {

using BackendResult = base::Result<std::shared_ptr<provider::Backend>>;

io::Http& ProcessModels::http() {
  if (!http_) http_.emplace(io::HttpClientOptions{.environment = environment_});
  return *http_;
}

ProcessModels::Workers& ProcessModels::workers() {
  if (!workers_) workers_.emplace(clock_);
  return *workers_;
}

BackendResult ProcessModels::backend(const provider::Endpoint& endpoint,
                                     const cli::AnswerSource& source) {
  if (!source.replay.empty()) return replaying(endpoint, source.replay);
  if (!source.record.empty()) return recording(endpoint, source.record);
  return direct(endpoint);
}

std::unique_ptr<provider::ModelService> ProcessModels::service(provider::BackendFactory backends,
                                                               storage::Engine* store) {
  const provider::ModelService::Parts parts{clock_, workers().random, workers().timers,
                                            workers().pool, store};
  return std::make_unique<provider::ModelService>(parts, std::move(backends));
}

BackendResult ProcessModels::direct(const provider::Endpoint& endpoint) {
  if (endpoint.wire == provider::Wire::kScripted) {
    CLEVER_ASSIGN(auto script, provider::Script::load(directory_ / endpoint.base_url));
    return std::make_shared<provider::ScriptedBackend>(endpoint.provider, std::move(script),
                                                       workers().timers, workers().pool);
  }
  const provider::Adapter* adapter = provider::adapter(endpoint.wire);
  if (adapter == nullptr) {
    return base::invalid_argument("provider " + endpoint.provider + ": it needs a cassette");
  }
  return std::make_shared<provider::HttpBackend>(*adapter, endpoint, http());
}

// One player and one recorder per cassette, whatever the number of providers: what is asked twice
// is answered in the order of the recording.
BackendResult ProcessModels::replaying(const provider::Endpoint& endpoint,
                                       const std::string& cassette) {
  if (!player_ || played_ != cassette) {
    CLEVER_ASSIGN(auto loaded, provider::Cassette::load(directory_ / cassette));
    player_ = std::make_shared<provider::CassettePlayer>(std::move(loaded));
    played_ = cassette;
  }
  static_cast<void>(player_->redactor().add(endpoint.key));
  return std::make_shared<provider::ReplayBackend>(endpoint.provider, player_, workers().timers,
                                                   workers().pool);
}

BackendResult ProcessModels::recording(const provider::Endpoint& endpoint,
                                       const std::string& cassette) {
  CLEVER_ASSIGN(auto inner, direct(endpoint));
  if (!recorder_ || recorded_ != cassette) {
    CLEVER_ASSIGN(recorder_,
                  provider::CassetteRecorder::open(directory_ / cassette, workers().pool));
    recorded_ = cassette;
  }
  static_cast<void>(recorder_->redactor().add(endpoint.key));
  return std::make_shared<provider::RecordingBackend>(endpoint.provider, std::move(inner),
                                                      *recorder_);
}

}  // namespace clever::app
