#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/message.h"
#include "provider/conversation.h"

// What is asked of a model, in one form for all providers. Values; safe to share.
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

/// Holds no ids, times or paths of this machine unless its caller put them into the text, so that
/// the same work makes the same request and a recorded run can be matched.
struct ModelRequest {
  std::string system{};
  Conversation messages{};
  std::vector<ToolSpec> tools{};
  ToolChoice tool_choice = ToolChoice::kAuto;
  /// Always sent: the reservation of a call's worst case depends on it.
  std::int64_t max_output_tokens = 4096;
  std::optional<double> temperature{};
  std::vector<std::string> stop{};
  /// "low", "medium", "high"; empty leaves it to the model. Ignored by models without it.
  std::string reasoning_effort{};
  /// JSON Schema that the answer's text must satisfy; empty: free text.
  std::string answer_schema{};
  /// Whether prefixes of the conversation may be cached by the provider (Anthropic's cache marks).
  bool cache_prompt = true;
  /// Whether the answer is wanted piece by piece.
  bool stream = true;
  /// So many parts, at the beginning of the first message, are what was found for the task. Found
  /// another time they may differ: they do not decide which recorded answer fits.
  std::size_t found_parts = 0;

  friend bool operator==(const ModelRequest&, const ModelRequest&) = default;
};

}  // namespace clever::provider
