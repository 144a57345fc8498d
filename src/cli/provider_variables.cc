#include "cli/provider_variables.h"

namespace clever::cli {
namespace {

using Names = std::vector<std::string_view>;

void sort_out(const Names& names, const io::Environment& environment, ProviderState& state) {
  for (const std::string_view name : names) {
    const auto value = environment.value(name);
    if (value) (value->empty() ? state.empty : state.present).push_back(name);
  }
}

bool any_set(const Names& names, const io::Environment& environment) {
  for (const std::string_view name : names) {
    if (!environment.value(name).value_or("").empty()) return true;
  }
  return false;
}

ProviderState state_of(const ProviderVariables& variables, const io::Environment& environment) {
  ProviderState state;
  state.provider = variables.provider;
  sort_out(variables.credentials, environment, state);
  sort_out(variables.endpoints, environment, state);
  const bool has_credential =
      variables.credentials.empty() || any_set(variables.credentials, environment);
  const bool has_endpoint = !variables.needs_endpoint || any_set(variables.endpoints, environment);
  state.configured = has_credential && has_endpoint;
  if (!state.configured && !state.present.empty()) {
    state.missing.push_back(has_credential ? variables.endpoints.front()
                                           : variables.credentials.front());
  }
  return state;
}

}  // namespace

const std::vector<ProviderVariables>& provider_variables() {
  static const std::vector<ProviderVariables> kVariables{
      {"anthropic", {"ANTHROPIC_API_KEY"}, {"ANTHROPIC_BASE_URL"}},
      {"openai", {"OPENAI_API_KEY"}, {"OPENAI_BASE_URL"}},
      {"google", {"GEMINI_API_KEY", "GOOGLE_API_KEY"}, {}},
      {"azure", {"AZURE_OPENAI_API_KEY"}, {"AZURE_OPENAI_ENDPOINT"}, true},
      {"openrouter", {"OPENROUTER_API_KEY"}, {}},
      {"groq", {"GROQ_API_KEY"}, {}},
      {"together", {"TOGETHER_API_KEY"}, {}},
      {"cohere", {"COHERE_API_KEY"}, {}},
      {"deepseek", {"DEEPSEEK_API_KEY"}, {}},
      {"mistral", {"MISTRAL_API_KEY"}, {}},
      {"ollama", {}, {"OLLAMA_HOST"}, true},
  };
  return kVariables;
}

std::vector<ProviderState> provider_states(const io::Environment& environment) {
  std::vector<ProviderState> states;
  for (const ProviderVariables& variables : provider_variables()) {
    states.push_back(state_of(variables, environment));
  }
  return states;
}

std::vector<std::string_view> configured_providers(const io::Environment& environment) {
  std::vector<std::string_view> names;
  for (const ProviderState& state : provider_states(environment)) {
    if (state.configured) names.push_back(state.provider);
  }
  return names;
}

}  // namespace clever::cli
