#pragma once
#include <memory>
#include <string>

#include "provider/adapter.h"

// OpenAI's Responses. The provider stores nothing: every request carries the conversation, and the
// model's reasoning travels encrypted.
namespace clever::provider::openai {

[[nodiscard]] std::string encode_responses(const std::string& model, const ModelRequest& request);
[[nodiscard]] std::unique_ptr<AnswerReader> responses_reader(const Endpoint& endpoint,
                                                             const io::HttpHead& head);
[[nodiscard]] const Adapter& responses_adapter();

}  // namespace clever::provider::openai
