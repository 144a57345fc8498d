#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/message.h"
#include "provider/conversation.h"

// A request to a model, in one form for all providers. Values; safe to share.
namespace clever::provider {

struct ToolSpec {
  /// Letters, digits, `_` and `-`, at most 64.
  std::string name{};
  std::string description{};
  /// JSON Schema (draft 7) of an object, as JSON text.
  std::string parameters = R"({"type":"object","properties":{}})";
  friend bool operator==(const ToolSpec&, const ToolSpec&) = default;
};

enum class ToolChoice : std::uint8_t { kAuto, kNone, kRequired };

/// Contains no ids, times or paths of this machine unless its caller put them into the text, so
/// that the same work gives the same request and a recorded run matches.
struct ModelRequest {
  std::string system{};
  Conversation messages{};
  std::vector<ToolSpec> tools{};
  ToolChoice tool_choice = ToolChoice::kAuto;
  /// Always sent: the reservation of a call's worst case depends on it.
  std::int64_t max_output_tokens = 4096;
  std::optional<double> temperature{};
  std::vector<std::string> stop{};
  /// "low", "medium", "high"; empty for the model's default. Models without it ignore it.
  std::string reasoning_effort{};
  /// The JSON Schema of the answer's text; empty for free text.
  std::string answer_schema{};
  /// Whether the provider may cache prefixes of the conversation (Anthropic's cache marks).
  bool cache_prompt = true;
  /// Whether to stream the answer.
  bool stream = true;
  /// This many parts at the beginning of the first message are search results for the task. Another
  /// search may differ, so they do not identify a recorded answer.
  std::size_t found_parts = 0;

  friend bool operator==(const ModelRequest&, const ModelRequest&) = default;
};

}  // namespace clever::provider
