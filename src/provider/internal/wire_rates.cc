#include "provider/internal/wire_rates.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/number.h"
#include "provider/internal/wire_time.h"

namespace clever::provider::internal {
namespace {

using std::chrono::milliseconds;

std::optional<std::int64_t> count(std::string_view text) {
  const auto value = base::to_number<std::int64_t>(text);
  return value < 0 ? std::nullopt : value;
}

// Parses a duration, a date in words, or a Unix time in seconds or milliseconds.
std::optional<milliseconds> reset(const io::HttpHead& head, std::string_view text) {
  if (const auto then = parse_rfc3339(text)) return from_date(head, then);
  const auto number = count(text);
  if (number && *number >= 1'000'000'000) {
    const std::int64_t seconds = *number >= 1'000'000'000'000 ? *number / 1000 : *number;
    return from_date(head, Seconds(std::chrono::seconds(seconds)));
  }
  return parse_duration(text);
}

struct RateNames {
  RateHeader RateObservation::* header;
  std::string_view limit;
  std::string_view remaining;
  std::string_view reset;
};

// Names without a window belong to providers that do not document it.
constexpr std::array<RateNames, 9> kRateNames = {{
    {&RateObservation::requests, "x-ratelimit-limit-requests", "x-ratelimit-remaining-requests",
     "x-ratelimit-reset-requests"},
    {&RateObservation::tokens, "x-ratelimit-limit-tokens", "x-ratelimit-remaining-tokens",
     "x-ratelimit-reset-tokens"},
    {&RateObservation::requests, "anthropic-ratelimit-requests-limit",
     "anthropic-ratelimit-requests-remaining", "anthropic-ratelimit-requests-reset"},
    {&RateObservation::tokens, "anthropic-ratelimit-tokens-limit",
     "anthropic-ratelimit-tokens-remaining", "anthropic-ratelimit-tokens-reset"},
    {&RateObservation::input_tokens, "anthropic-ratelimit-input-tokens-limit",
     "anthropic-ratelimit-input-tokens-remaining", "anthropic-ratelimit-input-tokens-reset"},
    {&RateObservation::output_tokens, "anthropic-ratelimit-output-tokens-limit",
     "anthropic-ratelimit-output-tokens-remaining", "anthropic-ratelimit-output-tokens-reset"},
    {&RateObservation::requests, "x-ratelimit-limit-req-minute", "x-ratelimit-remaining-req-minute",
     ""},
    {&RateObservation::tokens, "x-ratelimit-limit-tokens-minute",
     "x-ratelimit-remaining-tokens-minute", ""},
    {&RateObservation::requests, "", "x-ratelimit-remaining", "x-ratelimit-reset"},
}};

void read(const io::HttpHead& head, const RateNames& names, RateHeader& rate) {
  const auto with = [&](std::string_view name, auto read_value) {
    if (const auto text = head.header(name)) read_value(*text);
  };
  with(names.limit, [&](std::string_view text) { rate.limit = count(text); });
  with(names.remaining, [&](std::string_view text) { rate.remaining = count(text); });
  with(names.reset, [&](std::string_view text) { rate.reset = reset(head, text); });
}

bool is_groq(const io::HttpHead& head) {
  return std::ranges::any_of(head.headers, [](const io::HttpHeader& header) {
    return header.name.starts_with("x-groq-");
  });
}

}  // namespace

RateObservation read_rates(const io::HttpHead& head) {
  RateObservation rates;
  for (const RateNames& names : kRateNames) read(head, names, rates.*names.header);
  // Groq counts requests per day under the names that mean a minute elsewhere.
  if (is_groq(head)) rates.requests.window = std::chrono::hours(24);
  return rates;
}

}  // namespace clever::provider::internal
