#include "provider/answer.h"

namespace clever::provider {

std::string_view to_string(StopReason reason) noexcept {
  switch (reason) {
    case StopReason::kEnd:
      return "end";
    case StopReason::kToolCalls:
      return "tool_calls";
    case StopReason::kLength:
      return "length";
    case StopReason::kRefusal:
      return "refusal";
    case StopReason::kOther:
      return "other";
  }
  return "other";
}

}  // namespace clever::provider
