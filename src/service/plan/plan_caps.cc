#include "service/plan/plan_caps.h"

#include <algorithm>
#include <cmath>

#include "base/number.h"

namespace clever::service {
namespace {

constexpr double kMicrodollars = 1e6;

// A setting in dollars or tokens; empty means no cap.
std::int64_t cap_of(const config::Settings& settings, std::string_view key, double unit) {
  const auto value = base::to_number<double>(settings.text(key));
  if (!value) return model::kLargestAmount;
  const double amount = std::min(*value * unit, static_cast<double>(model::kLargestAmount));
  return static_cast<std::int64_t>(std::llround(amount));
}

}  // namespace

storage::Caps caps_of(const config::Settings& settings, const std::string& scope) {
  return {.money = cap_of(settings, "budget." + scope, kMicrodollars),
          .tokens = cap_of(settings, "budget." + scope + "_tokens", 1)};
}

std::size_t most_plans(const config::Settings& settings) {
  const auto most = base::to_number<std::size_t>(settings.text("plan.concurrency"));
  return std::max<std::size_t>(most.value_or(1), 1);
}

}  // namespace clever::service
