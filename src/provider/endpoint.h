#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/http.h"

namespace clever::provider {

/// Which API an endpoint has.
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
[[nodiscard]] std::optional<Wire> wire_from_string(std::string_view name) noexcept;

/// Providers that deviate from OpenAI's Chat Completions.
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

/// A configured provider: everything needed to call it. A value, never printed: it holds the key.
struct Endpoint {
  /// "openai", or the name of a section in the configuration.
  std::string provider{};
  Wire wire = Wire::kOpenAiChat;
  Dialect dialect = Dialect::kNone;
  /// Without a slash at the end. The wire appends its paths:
  ///   openai-*   "https://api.openai.com/v1"       + "/chat/completions", "/responses", "/models"
  ///   azure      "https://NAME.openai.azure.com"   + "/openai/…?api-version=…"
  ///              "https://NAME.openai.azure.com/openai/v1" as OpenAI's own, without api_version
  ///   anthropic  "https://api.anthropic.com"       + "/v1/messages", "/v1/models"
  ///   google     "https://generativelanguage.googleapis.com/v1beta" + "/models/…"
  ///   ollama     "http://127.0.0.1:11434"          + "/api/chat", "/api/tags"
  std::string base_url{};
  /// Empty if none is needed.
  std::string key{};
  /// The variable that the key comes from, or should come from; for messages.
  std::string key_variable{};
  /// Azure's `api-version`; empty for its v1 API and for other providers.
  std::string api_version{};
  std::vector<io::HttpHeader> headers{};
  io::HttpDeadlines deadlines{};
  /// On this machine, without a key, or marked as local: costs nothing.
  bool local = false;
};

}  // namespace clever::provider
