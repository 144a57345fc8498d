#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "model/message.h"

// What a model answers, in one form for all providers. Values; safe to share.
namespace clever::provider {

enum class StopReason : std::uint8_t {
  kEnd,        // the model is done
  kToolCalls,  // it waits for results
  kLength,     // max_output_tokens, or the context, is used up: the answer is not whole
  kRefusal,    // the model, or a filter, declined; `refusal` says what was said
  kOther,      // a reason we do not know; `stop_detail` has it
};
[[nodiscard]] std::string_view to_string(StopReason reason) noexcept;

/// Tokens as the provider counted them. `input` includes what was read from and written to its
/// cache; `output` includes reasoning.
struct Usage {
  std::int64_t input = 0;
  std::int64_t output = 0;
  std::int64_t cache_read = 0;
  std::int64_t cache_write = 0;
  std::int64_t reasoning = 0;
  /// False: the provider said nothing, and all numbers are 0.
  bool known = false;
  friend bool operator==(const Usage&, const Usage&) = default;
};

struct ModelAnswer {
  model::Message message{model::Role::kAssistant, {}};
  StopReason stop = StopReason::kEnd;
  /// The provider's own word for it.
  std::string stop_detail{};
  std::string refusal{};
  Usage usage{};
  /// As the provider names it, which may be more exact than what was asked for.
  std::string model{};
  /// The provider's id of the answer, for its support.
  std::string id{};
  friend bool operator==(const ModelAnswer&, const ModelAnswer&) = default;
};

/// A piece of an answer while it is being made. For showing only: the answer is whole in itself.
struct TextDelta {
  std::string text;
};
struct ReasoningDelta {
  std::string text;
};
struct ToolCallDelta {
  /// Which of the answer's calls, from 0.
  std::size_t index = 0;
  std::string id{};
  std::string name{};
  std::string arguments{};
};
using Delta = std::variant<TextDelta, ReasoningDelta, ToolCallDelta>;

}  // namespace clever::provider
