#include "service/amounts.h"

#include <chrono>
#include <cstdint>

#include "base/utf8.h"
#include "service/commands/budget.h"
#include "service/text.h"

namespace clever::service {
namespace {

std::string two_digits(std::int64_t number) {
  return (number < 10 ? "0" : "") + std::to_string(number);
}

std::string with_tenths(std::int64_t tenths) {
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10);
}

}  // namespace

std::string shortened(std::string_view text, std::size_t width, bool unicode) {
  if (columns(text) <= width) return std::string(text);
  const std::string_view ellipsis = unicode ? "…" : "...";
  if (width < columns(ellipsis)) return std::string(width, '.');
  std::string shown;
  for (std::size_t at = 0; at < text.size();) {
    std::string next = shown;
    base::append_utf8(next, next_code_point(text, at));
    if (columns(next) + columns(ellipsis) > width) break;
    shown = std::move(next);
  }
  return shown.append(ellipsis);
}

std::string elapsed_text(base::Duration elapsed) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(elapsed).count();
  constexpr std::int64_t kMinute = 60;
  constexpr std::int64_t kHour = 3600;
  if (seconds < kMinute) return std::to_string(seconds) + "s";
  if (seconds < kHour) {
    return std::to_string(seconds / kMinute) + "m" + two_digits(seconds % kMinute) + "s";
  }
  return std::to_string(seconds / kHour) + "h" + two_digits(seconds % kHour / kMinute) + "m";
}

std::string seconds_text(std::chrono::milliseconds time) {
  constexpr std::int64_t kTenth = 100;
  return with_tenths((time.count() + kTenth / 2) / kTenth) + " s";
}

std::string tokens_text(std::int64_t tokens) {
  constexpr std::int64_t kThousand = 1000;
  constexpr std::int64_t kMillion = 1'000'000;
  if (tokens < kThousand) return std::to_string(tokens);
  if (tokens < 100 * kThousand) return with_tenths(tokens / (kThousand / 10)) + "k";
  if (tokens < kMillion) return std::to_string(tokens / kThousand) + "k";
  return with_tenths(tokens / (kMillion / 10)) + "M";
}

std::string cost_text(model::Microdollars cost) {
  constexpr std::int64_t kCent = 10'000;
  constexpr std::int64_t kTenThousandth = 100;
  // Never rounds a cost down to nothing.
  const std::int64_t unit = cost < kCent ? kTenThousandth : kCent;
  return dollars((cost + unit - 1) / unit * unit);
}

}  // namespace clever::service
