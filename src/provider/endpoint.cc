#include "provider/endpoint.h"

namespace clever::provider {

std::string_view to_string(Wire wire) noexcept {
  switch (wire) {
    case Wire::kOpenAiChat:
      return "openai-chat";
    case Wire::kOpenAiResponses:
      return "openai-responses";
    case Wire::kAnthropic:
      return "anthropic";
    case Wire::kGoogle:
      return "google";
    case Wire::kOllama:
      return "ollama";
    case Wire::kScripted:
      return "scripted";
    case Wire::kReplay:
      return "replay";
  }
  return "unknown";
}

std::optional<Wire> wire_from_string(std::string_view name) noexcept {
  for (const Wire wire : {Wire::kOpenAiChat, Wire::kOpenAiResponses, Wire::kAnthropic,
                          Wire::kGoogle, Wire::kOllama, Wire::kScripted, Wire::kReplay}) {
    if (to_string(wire) == name) return wire;
  }
  return std::nullopt;
}

}  // namespace clever::provider
