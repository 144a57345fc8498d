#include "base/text.h"
#include "provider/discovery.h"
#include "provider/known_providers.h"
#include "service/diagnostics/sections.h"
#include "service/text.h"

namespace clever::service {
namespace {

// A known provider that a variable of the environment refers to.
void add_variables(const provider::VariableState& state, Checks& section) {
  if (state.configured) {
    section.checks.push_back(
        {state.provider, Verdict::kOk, base::joined(state.present) + " set", ""});
  } else if (!state.missing.empty()) {
    section.checks.push_back(
        {state.provider, Verdict::kWarn,
         base::joined(state.present) + " set, but not " + base::joined(state.missing), ""});
  } else if (!state.empty.empty()) {
    section.checks.push_back(
        {state.provider, Verdict::kWarn, base::joined(state.empty) + " is empty", ""});
  }
}

// Providers that the settings make.
void add_configured(const provider::ProviderSettings& found, Checks& section) {
  for (const provider::ProviderConfig& config : found.providers) {
    const std::string& name = config.endpoint.provider;
    if (provider::find_known_provider(name) != nullptr) continue;
    section.checks.push_back({name, Verdict::kOk, config.endpoint.base_url, ""});
  }
  for (const auto& [name, why] : found.unavailable) {
    if (provider::find_known_provider(name) != nullptr) continue;
    section.checks.push_back({name, Verdict::kWarn, why, ""});
  }
}

}  // namespace

Checks check_providers(Context& context) {
  Checks section{"providers", {}};
  for (const auto& state : provider::variable_states(context.environment())) {
    add_variables(state, section);
  }
  // Another section reports broken settings.
  if (!context.settings().ok()) return section;
  const auto found = provider::discover(context.environment(), *context.settings());
  if (!found.ok()) {
    section.checks.push_back({"settings", Verdict::kFail, found.error().sentence(), ""});
    return section;
  }
  add_configured(*found, section);
  if (found->providers.empty()) {
    section.checks.push_back({"none", Verdict::kWarn, "no model provider is configured",
                              "set ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY or another "
                              "provider's key in the environment"});
  }
  return section;
}

}  // namespace clever::service
