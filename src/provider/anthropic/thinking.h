#pragma once
#include <cstdint>
#include <string>

#include "provider/request.h"

namespace clever::provider::anthropic {

/// How to ask a model to think; older and newer models take different forms and refuse the other's.
struct Thinking {
  enum class Mode : std::uint8_t { kNone, kBudget, kAdaptive };
  Mode mode = Mode::kNone;
  /// Only for kBudget.
  std::int64_t budget = 0;
};

/// `messages` is the transcript as it is sent.
[[nodiscard]] Thinking thinking_for(const std::string& model, const ModelRequest& request,
                                    const Conversation& messages);

/// Newer models refuse a temperature, and every model does while it thinks.
[[nodiscard]] bool takes_temperature(const std::string& model, const Thinking& thinking);

}  // namespace clever::provider::anthropic
