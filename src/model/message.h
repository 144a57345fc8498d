#pragma once
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"

// Messages between us and a model, in one form for all providers. Values; safe to share.
namespace clever::model {

struct Text {
  std::string text{};
  friend bool operator==(const Text&, const Text&) = default;
};

/// An image: the bytes of the file, not base64.
struct Image {
  /// "image/png", "image/jpeg", "image/gif" or "image/webp".
  std::string media_type{};
  std::string bytes{};
  friend bool operator==(const Image&, const Image&) = default;
};

/// A model's own account of its thinking. Some providers require it back unchanged with the next
/// turn: `opaque` is theirs (a signature, encrypted content), and is returned only to `provider`'s
/// wire.
struct Reasoning {
  std::string text{};
  std::string opaque{};
  /// The wire that produced it: "anthropic", "openai-responses", "google", …
  std::string wire{};
  friend bool operator==(const Reasoning&, const Reasoning&) = default;
};

struct ToolCall {
  /// Unique within a transcript; the result names it.
  std::string id{};
  std::string name{};
  /// JSON text, as the model wrote it: it may be another value, or invalid.
  std::string arguments = "{}";
  /// What the wire requires back with the call (Gemini's thought signature); empty if nothing.
  std::string opaque{};
  friend bool operator==(const ToolCall&, const ToolCall&) = default;
};

struct ToolResult {
  std::string call{};
  std::vector<std::variant<Text, Image>> content{};
  bool failed = false;
  friend bool operator==(const ToolResult&, const ToolResult&) = default;
};

enum class Role : std::uint8_t { kUser, kAssistant };
[[nodiscard]] std::string_view to_string(Role role) noexcept;  // "user", "assistant"

/// Tool calls and reasoning belong to the assistant, results and images to the user; a request
/// drops parts in a message of the other role (provider/transcript.h).
using Part = std::variant<Text, Image, Reasoning, ToolCall, ToolResult>;

struct Message {
  Role role = Role::kUser;
  std::vector<Part> parts{};
  friend bool operator==(const Message&, const Message&) = default;
};

/// JSON text of messages, for the journal, cassettes and traces; images as base64.
[[nodiscard]] std::string to_json(const std::vector<Message>& messages);
/// `invalid_argument` names the place and the wrong key.
[[nodiscard]] base::Result<std::vector<Message>> messages_from_json(std::string_view text);

}  // namespace clever::model
