#pragma once
#include <memory>
#include <string>

#include "provider/adapter.h"

// Anthropic's Messages.
namespace clever::provider::anthropic {

[[nodiscard]] std::string encode_messages(const std::string& model, const ModelRequest& request);
[[nodiscard]] std::unique_ptr<AnswerReader> messages_reader(const Endpoint& endpoint,
                                                            const io::HttpHead& head);
[[nodiscard]] const Adapter& messages_adapter();

/// What stands before the data of a block that came redacted; a signature never begins so.
inline constexpr std::string_view kRedactedThinking = "redacted:";

}  // namespace clever::provider::anthropic
