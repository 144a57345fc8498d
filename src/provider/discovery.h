#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "config/settings.h"
#include "io/environment.h"
#include "provider/provider_set.h"

// Finds the providers: from the usual environment variables, from [provider.NAME] in the settings,
// and on request from servers on this machine. Values and stateless functions; only find_local()
// uses the network, through its argument.
namespace clever::provider {

/// The environment variables of a known provider. Names only, never a value.
struct VariableState {
  std::string provider{};
  bool configured = false;
  /// Names of its variables that are set and not empty.
  std::vector<std::string> present{};
  /// Names that are set, but empty.
  std::vector<std::string> empty{};
  /// Names that are missing although related ones are set.
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
/// A missing part (a key's variable) makes a provider unavailable, and
/// ProviderSettings::unavailable says why; so does an unusable address in a variable, which
/// concerns that provider alone. A mistake in the settings is an error: `invalid_argument` names
/// the provider, the line, and what would be right. A key is never sent over plain http to another
/// machine, unless `local = true` says that the network is trusted.
///
/// OpenAI is used by its Responses API; at another base URL by Chat Completions, which all
/// compatible servers have. provider.openai.wire overrides both.
[[nodiscard]] base::Result<ProviderSettings> discover(const io::Environment& environment,
                                                      const config::Settings& settings);

/// The variables of each known provider, in the same order.
[[nodiscard]] std::vector<VariableState> variable_states(const io::Environment& environment);

/// Makes a GET request on this machine: returns the body, or an error. Must be quick.
using LocalFetch = std::function<base::Result<std::string>(const std::string& url)>;

inline constexpr std::string_view kOllamaAddress = "http://127.0.0.1:11434";
inline constexpr std::string_view kLlamaServerAddress = "http://127.0.0.1:8080";
inline constexpr std::string_view kLmStudioAddress = "http://127.0.0.1:1234";

/// Adds an Ollama, a llama-server ("llama-server") and an LM Studio ("lmstudio") that answer on
/// their default port and are not configured yet; gives a configured Ollama without a default model
/// its first one.
void find_local(const LocalFetch& fetch, ProviderSettings& settings);

}  // namespace clever::provider
