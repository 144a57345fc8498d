#include "provider/price.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/random.h"

namespace clever::provider {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

Price sonnet() {
  return {.rates = {.input = 3'000'000,
                    .output = 15'000'000,
                    .cache_read = 300'000,
                    .cache_write = 3'750'000},
          .long_above = 200'000,
          .long_rates = {.input = 6'000'000,
                         .output = 22'500'000,
                         .cache_read = 600'000,
                         .cache_write = 7'500'000}};
}

TEST(Price, OfTokensByTheMillion) {
  EXPECT_EQ(cost(sonnet(), {.input = 100'000, .output = 10'000}), 300'000 + 150'000);
}

TEST(Price, CountsWhatWasCachedApart) {
  EXPECT_EQ(cost(sonnet(), {.input = 1000, .cache_read = 500, .cache_write = 400}),
            300 + 150 + 1500);
}

TEST(Price, OfALongCallIsHigherFromItsFirstToken) {
  EXPECT_EQ(cost(sonnet(), {.input = 200'000}), 600'000);
  EXPECT_EQ(cost(sonnet(), {.input = 200'001}), 1'200'006);
}

TEST(Price, IsRoundedUpOnce) {
  const Price cheap{.rates = {.input = 100, .output = 100, .cache_read = 100, .cache_write = 100}};
  EXPECT_EQ(cost(cheap, {.input = 3, .output = 1, .cache_read = 1, .cache_write = 1}), 1);
  EXPECT_EQ(cost(cheap, {.input = 9'999, .output = 1}), 1);
  EXPECT_EQ(cost(cheap, {.input = 10'000, .output = 1}), 2);
}

TEST(Price, OfNothingIsNothing) {
  EXPECT_EQ(cost(sonnet(), {}), 0);
  EXPECT_EQ(worst_case(sonnet(), 0, 0), 0);
  EXPECT_EQ(worst_case(Price{}, 1'000'000, 1'000'000), 0);
}

TEST(Price, StopsAtTheLargestAmount) {
  const Price dear{.rates = {.input = kLargestRate, .output = kLargestRate}};
  EXPECT_EQ(cost(dear, {.input = kMost, .output = kMost}), model::kLargestAmount);
  EXPECT_EQ(worst_case(dear, kMost, kMost), model::kLargestAmount);
  EXPECT_EQ(worst_case(dear, 999'999'999, 999'999'999), model::kLargestAmount);
}

TEST(Price, TakesImpossibleUsageForTheNearestPossible) {
  EXPECT_EQ(cost(sonnet(), {.input = -5, .output = -7, .cache_read = -1, .cache_write = -1}), 0);
  // More from the cache than there was input.
  EXPECT_EQ(cost(sonnet(), {.input = 10, .cache_read = 100, .cache_write = 100}), 3);
}

TEST(Price, TheWorstCaseIsTheDearestWayToReadTheInput) {
  EXPECT_EQ(worst_case(sonnet(), 100'000, 1000), 375'000 + 15'000);
  EXPECT_EQ(worst_case(sonnet(), 300'000, 1000), 2'250'000 + 22'500);
}

TEST(Price, TheWorstCaseOfALongCallCoversAShortOne) {
  // A provider whose long calls are the cheaper ones: fewer tokens than feared cost more.
  const Price odd{.rates = {.input = 10'000'000, .output = 10'000'000},
                  .long_above = 10,
                  .long_rates = {.input = 1, .output = 1}};
  EXPECT_GE(worst_case(odd, 11, 5), cost(odd, {.input = 10, .output = 5}));
}

Rates random_rates(base::Random& random) {
  const auto rate = [&] { return static_cast<Rate>(random.below(1ULL << random.below(40))); };
  return {.input = rate(), .output = rate(), .cache_read = rate(), .cache_write = rate()};
}

std::int64_t random_tokens(base::Random& random) {
  return static_cast<std::int64_t>(random.below(1ULL << random.below(62)));
}

// Whatever is reserved for a call is enough for it.
TEST(Price, NoUsageWithinTheBoundsCostsMoreThanTheWorstCase) {
  base::SeededRandom random(4);
  for (int i = 0; i < 20'000; ++i) {
    const Price price{
        .rates = random_rates(random),
        .long_above = random.below(2) == 0 ? std::nullopt : std::optional(random_tokens(random)),
        .long_rates = random_rates(random)};
    const std::int64_t most_input = random_tokens(random);
    const std::int64_t most_output = random_tokens(random);
    const auto up_to = [&](std::int64_t most) {
      return static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(most) + 1));
    };
    Usage usage{.input = up_to(most_input), .output = up_to(most_output)};
    usage.cache_read = up_to(usage.input);
    usage.cache_write = up_to(usage.input - usage.cache_read);
    const auto reserved = worst_case(price, most_input, most_output);
    ASSERT_LE(cost(price, usage), reserved) << i;
    ASSERT_LE(reserved, model::kLargestAmount);
    ASSERT_GE(cost(price, usage), 0);
  }
}

}  // namespace
}  // namespace clever::provider
