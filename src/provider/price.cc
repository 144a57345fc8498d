#include "provider/price.h"

#include <algorithm>

namespace clever::provider {
namespace {

constexpr std::int64_t kMillion = 1'000'000;

// An exact sum of tokens times rates, in microdollars and millionths of them.
class Sum {
 public:
  void add(std::int64_t tokens, Rate rate) {
    tokens = std::max<std::int64_t>(tokens, 0);
    rate = std::clamp<Rate>(rate, 0, kLargestRate);
    if (rate == 0) return;
    // Each term, and the sum, stays below 2^63: the sum stops at the largest amount.
    if (tokens / kMillion > model::kLargestAmount / rate) {
      whole_ = model::kLargestAmount;
      return;
    }
    const std::int64_t rest = tokens % kMillion * rate;
    parts_ += rest % kMillion;
    whole_ += tokens / kMillion * rate + rest / kMillion + parts_ / kMillion;
    parts_ %= kMillion;
    whole_ = std::min(whole_, model::kLargestAmount);
  }

  [[nodiscard]] model::Microdollars rounded_up() const {
    return std::min(whole_ + (parts_ > 0 ? 1 : 0), model::kLargestAmount);
  }

 private:
  std::int64_t whole_ = 0;
  std::int64_t parts_ = 0;
};

Rate dearest_input(const Rates& rates) {
  return std::max({rates.input, rates.cache_read, rates.cache_write});
}

}  // namespace

model::Microdollars worst_case(const Price& price, std::int64_t input_tokens,
                               std::int64_t max_output_tokens) {
  Rate input = dearest_input(price.rates);
  Rate output = price.rates.output;
  if (price.long_above && input_tokens > *price.long_above) {
    input = std::max(input, dearest_input(price.long_rates));
    output = std::max(output, price.long_rates.output);
  }
  Sum sum;
  sum.add(input_tokens, input);
  sum.add(max_output_tokens, output);
  return sum.rounded_up();
}

model::Microdollars cost(const Price& price, const Usage& usage) {
  const bool is_long = price.long_above && usage.input > *price.long_above;
  const Rates& rates = is_long ? price.long_rates : price.rates;
  const std::int64_t input = std::max<std::int64_t>(usage.input, 0);
  const std::int64_t read = std::clamp<std::int64_t>(usage.cache_read, 0, input);
  const std::int64_t write = std::clamp<std::int64_t>(usage.cache_write, 0, input - read);
  Sum sum;
  sum.add(input - read - write, rates.input);
  sum.add(read, rates.cache_read);
  sum.add(write, rates.cache_write);
  sum.add(usage.output, rates.output);
  return sum.rounded_up();
}

}  // namespace clever::provider
