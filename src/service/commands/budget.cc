#include "service/commands/budget.h"

#include <algorithm>

#include "service/commands/commands.h"
#include "service/commands/db.h"

namespace clever::service {
namespace {

constexpr std::int64_t kDollar = 1'000'000;
constexpr std::size_t kFractionDigits = 6;
constexpr std::size_t kMostWholeDigits = 9;

bool all_digits(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

std::int64_t value_of_digits(std::string_view digits) {
  std::int64_t value = 0;
  for (const char c : digits) value = value * 10 + (c - '0');
  return value;
}

}  // namespace

std::string dollars(model::Microdollars amount) {
  std::string fraction = std::to_string(kDollar + amount % kDollar).substr(1);
  while (fraction.size() > 2 && fraction.back() == '0') fraction.pop_back();
  return "$" + grouped(static_cast<std::uint64_t>(amount / kDollar)) + "." + fraction;
}

base::Result<model::Microdollars> parse_dollars(std::string_view text) {
  std::string_view rest = text;
  if (rest.starts_with('$')) rest.remove_prefix(1);
  const std::size_t point = std::min(rest.find('.'), rest.size());
  const std::string_view whole = rest.substr(0, point);
  std::string fraction(rest.substr(std::min(point + 1, rest.size())));
  if (whole.empty() || whole.size() > kMostWholeDigits || fraction.size() > kFractionDigits ||
      !all_digits(whole) || !all_digits(fraction) || rest.ends_with('.')) {
    return base::invalid_argument("expected an amount in dollars such as 5 or 2.50, not " +
                                  std::string(text));
  }
  fraction.resize(kFractionDigits, '0');
  return value_of_digits(whole) * kDollar + value_of_digits(fraction);
}

std::string cap_text(std::int64_t cap, bool money) {
  if (cap >= model::kLargestAmount) return "no cap";
  return money ? dollars(cap) : grouped(static_cast<std::uint64_t>(cap));
}

Command budget_command() {
  return {.name = "budget",
          .summary = "Show and set spending limits",
          .description =
              "Before each model call, its worst case is reserved in every scope it belongs to: "
              "the day, the session, the plan and the plans above it. Reservations never exceed a "
              "cap, however many processes ask at once. After the call, only its real cost "
              "counts.\n\nIf the program was killed during a call, the call's outcome is unknown "
              "and its reservation counts until you release it.",
          .examples = {{"agents budget list", "All scopes, with their reservations"},
                       {"agents budget set day/2026-11-15 20", "At most 20 dollars on that day"},
                       {"agents budget release PLAN 17", "That call was not billed"}},
          .subcommands = {budget_list_command(), budget_set_command(), budget_release_command()}};
}

}  // namespace clever::service
