#include "provider/governor/wait.h"

#include <algorithm>

namespace clever::provider {
namespace {

std::string_view cause_text(FailureKind cause) {
  switch (cause) {
    case FailureKind::kRateLimited:
      return " limits the rate";
    case FailureKind::kOverloaded:
      return " is overloaded";
    case FailureKind::kConnection:
      return " cannot be reached";
    case FailureKind::kTimeout:
      return " does not answer in time";
    case FailureKind::kCut:
      return " cut an answer off";
    default:
      return " sent an answer that cannot be read";
  }
}

std::string_view reason_text(WaitReason reason) {
  switch (reason) {
    case WaitReason::kTurn:
      return ": other calls are ahead";
    case WaitReason::kRate:
      return ": the rate limit is used up for now";
    case WaitReason::kAskedTo:
      return " asked to wait";
    case WaitReason::kUnavailable:
      return " is unavailable";
    case WaitReason::kStore:
      break;
  }
  return ": waiting for the database that shares the limits";
}

}  // namespace

std::string_view to_string(WaitReason reason) noexcept {
  switch (reason) {
    case WaitReason::kTurn:
      return "turn";
    case WaitReason::kRate:
      return "rate";
    case WaitReason::kAskedTo:
      return "asked_to";
    case WaitReason::kUnavailable:
      return "unavailable";
    case WaitReason::kStore:
      break;
  }
  return "store";
}

std::string duration_text(base::Duration duration) {
  const auto whole = std::chrono::ceil<std::chrono::seconds>(duration).count();
  const std::int64_t seconds = std::max<std::int64_t>(whole, 0);
  if (seconds < 60) return std::to_string(seconds) + " s";
  const auto two = [](std::int64_t large, std::string_view a, std::int64_t small,
                      std::string_view b) {
    std::string text = std::to_string(large).append(a);
    if (small != 0) text.append(" ").append(std::to_string(small)).append(b);
    return text;
  };
  if (seconds < 3600) return two(seconds / 60, " min", seconds % 60, " s");
  return two(seconds / 3600, " h", seconds % 3600 / 60, " min");
}

std::string Wait::why(std::string_view model) const {
  return std::string(model).append(cause ? cause_text(*cause) : reason_text(reason));
}

std::string Wait::sentence(std::string_view model, base::TimePoint now) const {
  std::string text = why(model);
  if (!until) return text;
  const bool tries = reason == WaitReason::kUnavailable || reason == WaitReason::kAskedTo;
  return text + (tries ? "; next try in " : "; about ") + duration_text(*until - now) +
         (tries ? "" : " left");
}

}  // namespace clever::provider
