#include "provider/adapter.h"

#include "provider/anthropic/messages.h"
#include "provider/google/gemini.h"
#include "provider/ollama/chat.h"
#include "provider/openai/chat.h"
#include "provider/openai/responses.h"

namespace clever::provider {

const Adapter* adapter(Wire wire) {
  switch (wire) {
    case Wire::kOpenAiChat:
      return &openai::chat_adapter();
    case Wire::kOpenAiResponses:
      return &openai::responses_adapter();
    case Wire::kAnthropic:
      return &anthropic::messages_adapter();
    case Wire::kGoogle:
      return &google::gemini_adapter();
    case Wire::kOllama:
      return &ollama::chat_adapter();
    case Wire::kScripted:
    case Wire::kReplay:
      return nullptr;
  }
  return nullptr;
}

}  // namespace clever::provider
