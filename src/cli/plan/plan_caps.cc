#include "cli/plan/plan_caps.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace clever::cli {
namespace {

constexpr double kMicrodollars = 1e6;

// A setting in dollars or tokens; no cap if it is empty.
std::int64_t cap_of(const config::Settings& settings, std::string_view key, double unit) {
  const std::string text = settings.text(key);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc()) return model::kLargestAmount;
  const double amount = std::min(value * unit, static_cast<double>(model::kLargestAmount));
  return static_cast<std::int64_t>(std::llround(amount));
}

}  // namespace

storage::Caps caps_of(const config::Settings& settings, const std::string& scope) {
  return {.money = cap_of(settings, "budget." + scope, kMicrodollars),
          .tokens = cap_of(settings, "budget." + scope + "_tokens", 1)};
}

}  // namespace clever::cli
