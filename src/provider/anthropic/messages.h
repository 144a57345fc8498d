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

/// Prefix of the data of a redacted block; a signature never begins like this.
inline constexpr std::string_view kRedactedThinking = "redacted:";

}  // namespace clever::provider::anthropic
