#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "config/settings.h"
#include "io/environment.h"
#include "provider/provider_set.h"

// Which providers there are: from the usual environment variables, from [provider.NAME] in the
// settings, and, where asked for, from what answers on this machine. Values and functions without
// state; the network is touched only by find_local(), through what it is given.
namespace clever::provider {

/// What the environment says of a provider it could configure. Names only, never a value.
struct VariableState {
  std::string provider{};
  bool configured = false;
  /// Names of its variables that are set and not empty.
  std::vector<std::string> present{};
  /// Names that are set, but empty.
  std::vector<std::string> empty{};
  /// Names that are missing where something is set, but not enough.
  std::vector<std::string> missing{};
};

/// The providers in the order of preference:
///   scripted    if provider.script names a script (it was asked for, and costs nothing)
///   anthropic, openai, google, azure, openrouter, groq, together, cohere, deepseek, mistral,
///   ollama
///               each if its variables are set (known_providers.h)
///   NAME        each [provider.NAME] of the settings that is none of these, by name
/// [provider.NAME] of one of these names changes it: its base URL, key variable, wire, models, …
///
/// Whatever is only missing (a key's variable) makes a provider unavailable, and
/// ProviderSettings::unavailable says why. So does a variable of its address that cannot be used:
/// it concerns that provider alone. Whatever is wrong in the settings is an error:
/// `invalid_argument` names the provider, the line, and what would be right. A key over plain http
/// to another machine is never sent, unless `local = true` says that the network is trusted.
///
/// OpenAI is spoken to by its Responses API; at another base URL by Chat Completions, which all
/// compatible servers have. provider.openai.wire overrides both.
[[nodiscard]] base::Result<ProviderSettings> discover(const io::Environment& environment,
                                                      const config::Settings& settings);

/// What the environment says of each known provider, in the same order.
[[nodiscard]] std::vector<VariableState> variable_states(const io::Environment& environment);

/// Answers GET requests on this machine: the body, or why there is none. Must be quick.
using LocalFetch = std::function<base::Result<std::string>(const std::string& url)>;

inline constexpr std::string_view kOllamaAddress = "http://127.0.0.1:11434";
inline constexpr std::string_view kLlamaServerAddress = "http://127.0.0.1:8080";

/// Adds an Ollama and a llama-server ("llama-server") that answer on their default port and are not
/// configured yet, and gives a configured Ollama without a default model its first one.
void find_local(const LocalFetch& fetch, ProviderSettings& settings);

}  // namespace clever::provider
