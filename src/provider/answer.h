#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "model/message.h"

// A model's answer, in one form for all providers. Values; safe to share.
namespace clever::provider {

enum class StopReason : std::uint8_t {
  kEnd,        // the model has finished
  kToolCalls,  // it waits for results
  kLength,     // max_output_tokens, or the context, is used up: the answer is incomplete
  kRefusal,    // the model, or a filter, declined; `refusal` holds its words
  kOther,      // an unknown reason, named in `stop_detail`
};
[[nodiscard]] std::string_view to_string(StopReason reason) noexcept;

/// Tokens as the provider counted them. `input` includes reads from and writes to its cache;
/// `output` includes reasoning.
struct Usage {
  std::int64_t input = 0;
  std::int64_t output = 0;
  std::int64_t cache_read = 0;
  std::int64_t cache_write = 0;
  std::int64_t reasoning = 0;
  /// False: the provider sent no usage, and all numbers are 0.
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
  /// The provider's name for it, which may be more exact than the requested one.
  std::string model{};
  /// The provider's id of the answer, for its support.
  std::string id{};
  friend bool operator==(const ModelAnswer&, const ModelAnswer&) = default;
};

/// A piece of an answer in progress. For display only: the answer itself is complete.
struct TextDelta {
  std::string text;
};
struct ReasoningDelta {
  std::string text;
};
struct ToolCallDelta {
  /// The index of the call in the answer, from 0.
  std::size_t index = 0;
  std::string id{};
  std::string name{};
  std::string arguments{};
};
using Delta = std::variant<TextDelta, ReasoningDelta, ToolCallDelta>;

}  // namespace clever::provider
