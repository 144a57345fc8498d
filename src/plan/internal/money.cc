#include "plan/internal/money.h"

#include <algorithm>
#include <chrono>

#include "plan/who_works.h"

namespace clever::plan {
namespace {

constexpr std::int64_t kMillion = 1'000'000;
// A call below these is useless: an answer with content, and a prompt with the task and the tools.
constexpr std::int64_t kLeastOutput = 1'024;
constexpr std::int64_t kLeastOverhead = std::int64_t{32} << 10U;

// Rounds up; saturates at the largest amount.
model::Microdollars price(std::int64_t tokens, model::Microdollars per_million) {
  const std::int64_t bounded = std::min(tokens, model::kLargestAmount);
  if (per_million != 0 && bounded / kMillion >= model::kLargestAmount / per_million) {
    return model::kLargestAmount;
  }
  const std::int64_t rest = bounded % kMillion;
  // Split once more, so that the product of the rest and a huge price fits into 64 bits.
  const std::int64_t whole = per_million / kMillion * rest;
  const std::int64_t part = (per_million % kMillion * rest + kMillion - 1) / kMillion;
  return std::min(bounded / kMillion * per_million + whole + part, model::kLargestAmount);
}

CallBounds bounded_call(const State& state, std::int64_t max_output, std::int64_t overhead) {
  const model::ModelTerms& terms = terms_now(state);
  const std::int64_t bytes = std::min(state.transcript_bytes, model::kLargestAmount) + overhead;
  const std::int64_t input = std::min(terms.context_window, bytes);
  const model::Microdollars money =
      price(input, terms.input_per_million) + price(max_output, terms.output_per_million);
  return {.max_output = max_output,
          .overhead_bytes = overhead,
          .cost = {std::min(money, model::kLargestAmount),
                   std::min(input + max_output, model::kLargestAmount)}};
}

// How many tokens of an answer the rest of the budget pays for.
std::int64_t affordable_output(const State& state, const CallBounds& silent,
                               const model::Cost& left) {
  if (!fits(silent.cost, left)) return 0;
  const std::int64_t tokens = left.tokens - silent.cost.tokens;
  const model::Microdollars each = terms_now(state).output_per_million;
  if (each <= 0) return tokens;
  const model::Microdollars money =
      std::min(left.money - silent.cost.money, model::kLargestAmount / kMillion);
  return std::min(tokens, money * kMillion / each);
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

CallBounds whole_call(const State& state) {
  return bounded_call(state, max_output_now(state), state.settings.limits.overhead_bytes);
}

std::optional<CallBounds> fitting_call(const State& state, const model::Cost& left) {
  const CallBounds whole = whole_call(state);
  if (fits(whole.cost, left)) return whole;
  const CallBounds least = least_call(state);
  for (std::int64_t overhead = whole.overhead_bytes; true; overhead /= 2) {
    overhead = std::max(overhead, least.overhead_bytes);
    const CallBounds silent = bounded_call(state, 0, overhead);
    const std::int64_t output = std::min(whole.max_output, affordable_output(state, silent, left));
    if (output >= least.max_output) return bounded_call(state, output, overhead);
    if (overhead == least.overhead_bytes) return std::nullopt;
  }
}

CallBounds least_call(const State& state) {
  return bounded_call(state, std::min(kLeastOutput, max_output_now(state)),
                      std::min(kLeastOverhead, state.settings.limits.overhead_bytes));
}

bool fits(const model::Cost& cost, const model::Cost& left) noexcept {
  return cost.money <= left.money && cost.tokens <= left.tokens;
}

std::string dollars(model::Microdollars amount) {
  constexpr std::int64_t kCent = 10'000;
  const std::int64_t cents = (std::max<std::int64_t>(amount, 0) + kCent - 1) / kCent;
  return "$" + std::to_string(cents / 100) + "." + two(static_cast<unsigned>(cents % 100));
}

}  // namespace clever::plan
