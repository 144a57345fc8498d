#pragma once
// What the provider commands share. Private to the module.
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "provider/known_providers.h"
#include "provider/provider_set.h"
#include "service/command.h"
#include "service/context.h"
#include "service/invocation.h"
#include "storage/circuits.h"
#include "storage/engine.h"

namespace clever::service {

/// The providers that everybody has, configured or not.
using provider::known_providers, provider::KnownProvider;

/// The providers as settings and environment have them, with what answers on this machine, and the
/// catalog. Every key found is made known to the redactor.
[[nodiscard]] base::Result<provider::ProviderSettings> find_providers(Context& context);
/// The same by other settings; for any thread.
[[nodiscard]] base::Result<provider::ProviderSettings> find_providers(
    const config::Settings& settings, const Context& context);

/// The same as a set that names can be looked up in; its providers have no runtime.
[[nodiscard]] provider::ProviderSet looked_at(const provider::ProviderSettings& settings);

/// The one of that name, if it is configured; null otherwise.
[[nodiscard]] const provider::ProviderConfig* configured_provider(
    const provider::ProviderSettings& settings, const std::string& name);

/// `not_found` names the nearest.
[[nodiscard]] base::Error no_such_provider(const provider::ProviderSettings& settings,
                                           const std::string& name);

/// The circuits that are open, as all processes on the database tell; none if there is no database
/// yet. Creates and upgrades nothing.
[[nodiscard]] std::vector<storage::CircuitRecord> open_circuits(Context& context);

/// The database of the settings if it is there, upgraded; none otherwise.
[[nodiscard]] std::shared_ptr<storage::Engine> store_if_any(Context& context);

/// Calls to the provider are made again at once, in every process on the database: it is back, or a
/// person says so. What cannot be written is forgotten: circuits close by themselves.
void close_circuits(const std::string& provider, storage::Engine& engine, Context& context);
/// The same in the database of the settings, if it is there.
void close_circuits(const std::string& provider, Context& context);

/// "OPENAI_API_KEY", "none needed"; never the key.
[[nodiscard]] std::string shown_key(const provider::ProviderConfig& config);
/// "60 requests/min, 4 at once"; empty if there are none.
[[nodiscard]] std::string shown_limits(const provider::ProviderLimits& limits);
/// "$3", "$0.075"
[[nodiscard]] std::string shown_rate(provider::Rate rate);
/// "$0.000123"
[[nodiscard]] std::string shown_cost(model::Microdollars amount);

[[nodiscard]] Document limits_data(const provider::ProviderLimits& limits);

}  // namespace clever::service
