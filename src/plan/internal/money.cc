#include "plan/internal/money.h"

#include <algorithm>
#include <chrono>

#include "plan/who_works.h"

namespace clever::plan {
namespace {

constexpr std::int64_t kMillion = 1'000'000;

// Rounded up; stops at the largest amount instead of overflowing.
model::Microdollars price(std::int64_t tokens, model::Microdollars per_million) {
  const std::int64_t bounded = std::min(tokens, model::kLargestAmount);
  if (per_million != 0 && bounded / kMillion >= model::kLargestAmount / per_million) {
    return model::kLargestAmount;
  }
  const std::int64_t rest = bounded % kMillion;
  // Split once more, so that the product of the rest and a huge price stays inside 64 bits.
  const std::int64_t whole = per_million / kMillion * rest;
  const std::int64_t part = (per_million % kMillion * rest + kMillion - 1) / kMillion;
  return std::min(bounded / kMillion * per_million + whole + part, model::kLargestAmount);
}

std::string two(unsigned number) { return (number < 10 ? "0" : "") + std::to_string(number); }

std::string day_scope(model::Timestamp now) {
  const std::chrono::year_month_day day{std::chrono::floor<std::chrono::days>(now)};
  return "day/" + std::to_string(static_cast<int>(day.year())) + "-" +
         two(static_cast<unsigned>(day.month())) + "-" + two(static_cast<unsigned>(day.day()));
}

}  // namespace

std::vector<std::string> budget_scopes(const State& state, model::Timestamp now) {
  std::vector<std::string> scopes{day_scope(now), "plan/" + state.id.to_string()};
  if (!state.settings.session.empty()) scopes.push_back("session/" + state.settings.session);
  for (const model::PlanId& above : state.settings.ancestors) {
    scopes.push_back("plan/" + above.to_string());
  }
  return model::in_order_of_taking(std::move(scopes));
}

model::Cost worst_case(const State& state) {
  const model::ModelTerms& terms = terms_now(state);
  const std::int64_t bytes = std::min(state.transcript_bytes, model::kLargestAmount) +
                             state.settings.limits.overhead_bytes;
  const std::int64_t input = std::min(terms.context_window, bytes);
  const model::Microdollars money =
      price(input, terms.input_per_million) + price(terms.max_output, terms.output_per_million);
  return {std::min(money, model::kLargestAmount),
          std::min(input + terms.max_output, model::kLargestAmount)};
}

}  // namespace clever::plan
