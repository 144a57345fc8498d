#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/http.h"

namespace clever::provider {

/// Which API is spoken.
enum class Wire : std::uint8_t {
  kOpenAiChat,
  kOpenAiResponses,
  kAnthropic,
  kGoogle,
  kOllama,
  kScripted,
  kReplay,
};
[[nodiscard]] std::string_view to_string(Wire wire) noexcept;  // "openai-chat", "anthropic", …

/// Where a provider's known deviation from OpenAI's Chat Completions matters.
enum class Dialect : std::uint8_t {
  kNone,
  kAzure,
  kOpenRouter,
  kGroq,
  kTogether,
  kCohere,
  kDeepSeek,
  kMistral,
  kLlamaServer,
};

/// One provider as configured: all that is needed to talk to it. A value, never printed: it holds
/// the key.
struct Endpoint {
  /// "openai", or the name of a section in the configuration.
  std::string provider{};
  Wire wire = Wire::kOpenAiChat;
  Dialect dialect = Dialect::kNone;
  /// "https://api.openai.com/v1", without a slash at the end.
  std::string base_url{};
  /// Empty where none is needed.
  std::string key{};
  /// Azure's `api-version`; empty for the others.
  std::string api_version{};
  std::vector<io::HttpHeader> headers{};
  io::HttpDeadlines deadlines{};
  /// On this machine or marked so: costs nothing.
  bool local = false;
};

}  // namespace clever::provider
