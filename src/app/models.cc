#include "app/models.h"

#include "provider/adapter.h"
#include "provider/http_backend.h"
#include "provider/scripted/scripted_backend.h"

namespace clever::app {

using BackendResult = base::Result<std::shared_ptr<provider::Backend>>;

namespace {

// Returns the entry for this name, or the one that `make` makes.
template <class Each, class Make>
auto one_for(Each& each, const std::string& name, Make&& make) {
  const auto lazy = each.with([&](auto& known) {
    auto& place = known[name];
    using OneLazy = std::remove_cvref_t<decltype(*place)>;
    if (place == nullptr) place = std::make_shared<OneLazy>();
    return place;
  });
  return lazy->try_get(std::forward<Make>(make));
}

}  // namespace

io::Http& ProcessModels::http() {
  return http_.get([this] {
    return std::make_unique<io::HttpClient>(io::HttpClientOptions{.environment = environment_});
  });
}

ProcessModels::Workers& ProcessModels::workers() {
  return workers_.get([this] { return std::make_unique<Workers>(clock_); });
}

BackendResult ProcessModels::backend(const provider::Endpoint& endpoint,
                                     const service::AnswerSource& source) {
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

// Any of the models may have seen it.
void ProcessModels::add_secrets(base::Redactor& redactor,
                                const provider::Endpoint& endpoint) const {
  redactor.add(endpoint.key);
  for (const auto& [name, value] : environment_.entries()) {
    if (base::names_secret(name)) redactor.add(value);
  }
}

BackendResult ProcessModels::replaying(const provider::Endpoint& endpoint,
                                       const std::string& cassette) {
  using Made = base::Result<std::unique_ptr<provider::CassettePlayer>>;
  CLEVER_ASSIGN(const auto player, one_for(players_, cassette, [&]() -> Made {
                  CLEVER_ASSIGN(auto loaded, provider::Cassette::load(directory_ / cassette));
                  return std::make_unique<provider::CassettePlayer>(std::move(loaded));
                }));
  add_secrets(player->redactor(), endpoint);
  return std::make_shared<provider::ReplayBackend>(endpoint.provider, player, workers().timers,
                                                   workers().pool);
}

BackendResult ProcessModels::recording(const provider::Endpoint& endpoint,
                                       const std::string& cassette) {
  CLEVER_ASSIGN(auto inner, direct(endpoint));
  CLEVER_ASSIGN(const auto recorder, one_for(recorders_, cassette, [&] {
                  return provider::CassetteRecorder::open(directory_ / cassette, workers().pool);
                }));
  add_secrets(recorder->redactor(), endpoint);
  return std::make_shared<provider::RecordingBackend>(endpoint.provider, std::move(inner),
                                                      *recorder);
}

}  // namespace clever::app
