#pragma once
#include <string>
#include <string_view>

#include "provider/endpoint.h"

// Differences between the APIs that are compatible with OpenAI's.
namespace clever::provider::openai {

/// OpenAI itself, or Azure's copy of it; the others know the older names.
[[nodiscard]] bool is_openai(const Endpoint& endpoint);

/// Reasoning models refuse `temperature` and `stop`, and take `reasoning_effort`.
[[nodiscard]] bool is_reasoning_model(std::string_view model);

/// "max_completion_tokens" or "max_tokens".
[[nodiscard]] std::string_view output_limit_name(const Endpoint& endpoint);

/// Whether `reasoning_effort` may be sent: most providers refuse it for models without reasoning.
[[nodiscard]] bool takes_reasoning_effort(const Endpoint& endpoint, std::string_view model);

/// Converts a call's id for this provider: Mistral requires nine letters and digits.
[[nodiscard]] std::string call_id(const Endpoint& endpoint, const std::string& id);

/// The address of `path` ("/chat/completions"), with the model in it for Azure.
[[nodiscard]] std::string address(const Endpoint& endpoint, std::string_view model,
                                  std::string_view path);
[[nodiscard]] std::string models_address(const Endpoint& endpoint);
[[nodiscard]] std::vector<io::HttpHeader> credentials(const Endpoint& endpoint);

}  // namespace clever::provider::openai
