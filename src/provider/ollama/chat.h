#pragma once
#include <memory>
#include <string>

#include "provider/adapter.h"

// Ollama's own /api/chat.
namespace clever::provider::ollama {

[[nodiscard]] std::string encode_chat(const std::string& model, const ModelRequest& request);
[[nodiscard]] std::unique_ptr<AnswerReader> chat_reader(const Endpoint& endpoint,
                                                        const io::HttpHead& head);
[[nodiscard]] const Adapter& chat_adapter();

}  // namespace clever::provider::ollama
