#pragma once
#include <cstdint>
#include <optional>

#include "model/budget_events.h"
#include "provider/answer.h"

// The cost of calls. Values and pure functions. Amounts are rounded up, once per call, and saturate
// at model::kLargestAmount.
namespace clever::provider {

/// Microdollars per million tokens: 3 USD is 3'000'000.
using Rate = std::int64_t;
/// A million dollars per million tokens: more than any sane price.
inline constexpr Rate kLargestRate = 1'000'000'000'000;

struct Rates {
  Rate input = 0;
  Rate output = 0;
  /// Input read from the provider's cache; defaults to the price of input.
  Rate cache_read = 0;
  Rate cache_write = 0;
  friend bool operator==(const Rates&, const Rates&) = default;
};

struct Price {
  Rates rates{};
  /// Calls with more input than this cost `long_rates`, from their first token on.
  std::optional<std::int64_t> long_above{};
  Rates long_rates{};
  friend bool operator==(const Price&, const Price&) = default;
};

/// The most that a call with at most this many tokens can cost, for any share of cached input and
/// on either side of `long_above`. For any usage within these bounds cost() is no higher.
[[nodiscard]] model::Microdollars worst_case(const Price& price, std::int64_t input_tokens,
                                             std::int64_t max_output_tokens);

/// The cost of a call. Impossible numbers (negative ones, more from the cache than input) are
/// replaced by the nearest possible ones.
[[nodiscard]] model::Microdollars cost(const Price& price, const Usage& usage);

}  // namespace clever::provider
