#pragma once
#include <memory>
#include <string>

#include "provider/adapter.h"

// OpenAI's Chat Completions, and compatible APIs.
namespace clever::provider::openai {

[[nodiscard]] std::string encode_chat(const Endpoint& endpoint, const std::string& model,
                                      const ModelRequest& request);
[[nodiscard]] std::unique_ptr<AnswerReader> chat_reader(const Endpoint& endpoint,
                                                        const io::HttpHead& head);
[[nodiscard]] const Adapter& chat_adapter();

}  // namespace clever::provider::openai
