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

}  // namespace clever::provider
