#include "provider/discovery.h"

#include <algorithm>
#include <set>
#include <utility>

#include "provider/internal/provider_builder.h"
#include "provider/internal/variables.h"
#include "provider/known_providers.h"

namespace clever::provider {
namespace {

constexpr std::string_view kGroup = "provider.";
constexpr std::string_view kAliases = "model.alias.";
constexpr std::string_view kScripted = "scripted";

// Names of the sections that configure no known provider.
std::set<std::string> named_sections(const config::Settings& settings) {
  std::set<std::string> names;
  for (const auto& [key, value] : settings.list(kGroup)) {
    const std::string_view rest = std::string_view(key).substr(kGroup.size());
    const std::size_t dot = rest.find('.');
    if (dot != std::string_view::npos) names.emplace(rest.substr(0, dot));
  }
  std::erase_if(names,
                [](const std::string& name) { return find_known_provider(name) != nullptr; });
  return names;
}

ProviderConfig scripted(const config::Value& script) {
  ProviderConfig config;
  config.endpoint.provider = kScripted;
  config.endpoint.wire = Wire::kScripted;
  // The backend's factory reads the script from this path.
  config.endpoint.base_url = script.text;
  config.endpoint.local = true;
  config.default_model = "script";
  config.origins["script"] = script.origin;
  return config;
}

base::Result<void> add(const io::Environment& environment, const config::Settings& settings,
                       const std::string& name, ProviderSettings& result) {
  CLEVER_ASSIGN(auto built, internal::build_provider(environment, settings, name));
  if (built.config) {
    result.providers.push_back(*std::move(built.config));
  } else {
    result.unavailable[name] = std::move(built.why);
  }
  return {};
}

base::Result<void> check_name(const std::string& name) {
  if (name != kScripted && name != "replay") return {};
  return base::invalid_argument("provider " + name +
                                ": this name is already in use; give [provider." + name +
                                "] another one");
}

VariableState state_of(const KnownProvider& known, const io::Environment& environment) {
  VariableState state{.provider = std::string(known.name)};
  for (const auto* names : {&known.key_variables, &known.base_url_variables}) {
    for (const std::string_view name : *names) {
      const auto value = environment.value(name);
      if (value) (value->empty() ? state.empty : state.present).emplace_back(name);
    }
  }
  const bool has_key =
      known.key_variables.empty() || !internal::first_set(environment, known.key_variables).empty();
  const bool has_address = !known.base_url.empty() ||
                           !internal::first_set(environment, known.base_url_variables).empty();
  state.configured = has_key && has_address;
  if (!state.configured && !state.present.empty()) {
    state.missing.emplace_back(has_key ? known.base_url_variables.front()
                                       : known.key_variables.front());
  }
  return state;
}

}  // namespace

base::Result<ProviderSettings> discover(const io::Environment& environment,
                                        const config::Settings& settings) {
  ProviderSettings result;
  if (const auto script = settings.find("provider.script"); script && !script->text.empty()) {
    result.providers.push_back(scripted(*script));
  }
  for (const KnownProvider& known : known_providers()) {
    CLEVER_TRY(add(environment, settings, std::string(known.name), result));
  }
  for (const std::string& name : named_sections(settings)) {
    CLEVER_TRY(check_name(name));
    CLEVER_TRY(add(environment, settings, name, result));
  }
  result.default_model = settings.text("model.default");
  result.fallback = config::list_of(settings.text("model.fallback"));
  if (const std::string patience = settings.text("model.patience"); !patience.empty()) {
    result.patience = config::duration_of(patience);
  }
  for (const auto& [key, value] : settings.list(kAliases)) {
    result.aliases[key.substr(kAliases.size())] = value.text;
  }
  return result;
}

std::vector<VariableState> variable_states(const io::Environment& environment) {
  std::vector<VariableState> states;
  for (const KnownProvider& known : known_providers()) {
    states.push_back(state_of(known, environment));
  }
  return states;
}

}  // namespace clever::provider
