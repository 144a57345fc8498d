#pragma once
#include <cstdint>
#include <optional>

#include "model/budget_events.h"
#include "provider/answer.h"

// What calls cost. Values and pure functions. Amounts are rounded up, once per call, and stop at
// model::kLargestAmount instead of overflowing.
namespace clever::provider {

/// Microdollars per million tokens: 3 USD is 3'000'000.
using Rate = std::int64_t;
/// A million dollars per million tokens: no sane price is higher.
inline constexpr Rate kLargestRate = 1'000'000'000'000;

struct Rates {
  Rate input = 0;
  Rate output = 0;
  /// Input read from the provider's cache; the price of input where there is no other.
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

/// What a call with at most so many tokens can cost at most: whatever of its input is read from or
/// written to a cache, and on whichever side of `long_above` it falls. For any usage within these
/// bounds cost() is no higher.
[[nodiscard]] model::Microdollars worst_case(const Price& price, std::int64_t input_tokens,
                                             std::int64_t max_output_tokens);

/// What a call cost. Numbers that cannot be (negative ones, more from the cache than input) are
/// taken as the nearest that can.
[[nodiscard]] model::Microdollars cost(const Price& price, const Usage& usage);

}  // namespace clever::provider
