#include "cli/diagnostics/sections.h"
#include "cli/provider_variables.h"

namespace clever::cli {
namespace {

std::string joined_names(const std::vector<std::string_view>& names) {
  std::string text;
  for (const std::string_view name : names) {
    if (!text.empty()) text.append(", ");
    text.append(name);
  }
  return text;
}

void add(const ProviderState& state, Checks& section) {
  const std::string name(state.provider);
  if (state.configured) {
    section.checks.push_back({name, Verdict::kOk, joined_names(state.present) + " set", ""});
  } else if (!state.missing.empty()) {
    section.checks.push_back(
        {name, Verdict::kWarn,
         joined_names(state.present) + " set, but not " + joined_names(state.missing), ""});
  } else if (!state.empty.empty()) {
    section.checks.push_back({name, Verdict::kWarn, joined_names(state.empty) + " is empty", ""});
  }
}

}  // namespace

Checks check_providers(Context& context) {
  Checks section{"providers", {}};
  for (const ProviderState& state : provider_states(context.environment())) add(state, section);
  if (configured_providers(context.environment()).empty()) {
    section.checks.push_back({"none", Verdict::kWarn, "no model provider is configured",
                              "set ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY or another "
                              "provider's key in the environment"});
  }
  return section;
}

}  // namespace clever::cli
