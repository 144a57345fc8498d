#include "base/random.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <set>
#include <vector>

namespace clever::base {
namespace {

// Answers with the given numbers, one after the other.
class ScriptedRandom final : public Random {
 public:
  explicit ScriptedRandom(std::vector<std::uint64_t> numbers) : numbers_(std::move(numbers)) {}
  std::uint64_t next() override { return numbers_.at(position_++); }
  [[nodiscard]] std::size_t used() const { return position_; }

 private:
  std::vector<std::uint64_t> numbers_;
  std::size_t position_ = 0;
};

TEST(SeededRandom, FollowsThePublishedXoshiroSequence) {
  SeededRandom random(SeededRandom::State{1, 2, 3, 4});
  EXPECT_EQ(random.next(), 11520U);
  EXPECT_EQ(random.next(), 0U);
  EXPECT_EQ(random.next(), 1509978240U);
  EXPECT_EQ(random.next(), 1215971899390074240U);
}

TEST(SeededRandom, ExpandsItsSeedByThePublishedSplitMix) {
  SeededRandom expanded(SeededRandom::State{6457827717110365317U, 3203168211198807973U,
                                            9817491932198370423U, 4593380528125082431U});
  SeededRandom seeded(1234567);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(seeded.next(), expanded.next());
}

TEST(SeededRandom, StaysAsItIs) {
  SeededRandom random(42);
  const std::array<std::uint64_t, 3> golden{1546998764402558742U, 6990951692964543102U,
                                            12544586762248559009U};
  for (const auto expected : golden) EXPECT_EQ(random.next(), expected);
}

TEST(SeededRandom, DiffersBetweenSeeds) {
  EXPECT_NE(SeededRandom(1).next(), SeededRandom(2).next());
}

TEST(SeededRandom, ZeroIsAGoodSeed) {
  SeededRandom random(0);
  EXPECT_NE(random.next(), random.next());
}

TEST(SeededRandomDeathTest, RefusesAStateOfZeros) {
  EXPECT_DEATH(SeededRandom(SeededRandom::State{}), "xoshiro256\\*\\* needs a state");
}

TEST(Random, FillsTheLeastSignificantByteFirst) {
  ScriptedRandom random({0x0807060504030201U, 0xffffffffffff0a09U});
  std::array<std::byte, 10> bytes{};
  random.fill(bytes);
  for (std::size_t i = 0; i < bytes.size(); ++i)
    EXPECT_EQ(std::to_integer<std::size_t>(bytes[i]), i + 1);
}

TEST(Random, FillsNothingIntoNothing) {
  ScriptedRandom random({});
  random.fill({});
  EXPECT_EQ(random.used(), 0U);
}

TEST(Random, BelowDrawsAgainWhereTheRemainderWouldBeBiased) {
  // 2^64 mod 6 is 4: the numbers 0 to 3 are surplus.
  ScriptedRandom random({0, 3, 4});
  EXPECT_EQ(random.below(6), 4U);
  EXPECT_EQ(random.used(), 3U);
}

TEST(Random, BelowOneIsZero) { EXPECT_EQ(SeededRandom(1).below(1), 0U); }

TEST(Random, BelowReachesEveryNumberAboutEquallyOften) {
  SeededRandom random(7);
  std::array<int, 10> seen{};
  for (int i = 0; i < 10'000; ++i) ++seen.at(random.below(10));
  const auto [least, most] = std::ranges::minmax(seen);
  EXPECT_GT(least, 850);
  EXPECT_LT(most, 1150);
}

TEST(RandomDeathTest, BelowZeroIsABug) {
  SeededRandom random(1);
  EXPECT_DEATH(static_cast<void>(random.below(0)), "below\\(0\\)");
}

TEST(Random, UniformStaysBelowOne) {
  EXPECT_EQ(ScriptedRandom({0}).uniform(), 0.0);
  EXPECT_EQ(ScriptedRandom({~std::uint64_t{0}}).uniform(), 1.0 - 0x1.0p-53);
}

TEST(Random, UniformIsHalfOnAverage) {
  SeededRandom random(3);
  double sum = 0;
  for (int i = 0; i < 10'000; ++i) sum += random.uniform();
  EXPECT_NEAR(sum / 10'000, 0.5, 0.02);
}

TEST(Random, ShuffleKeepsTheItemsAndChangesTheirOrder) {
  SeededRandom random(5);
  std::vector<int> items(50);
  std::iota(items.begin(), items.end(), 0);
  const std::vector<int> before = items;
  random.shuffle(items);
  EXPECT_NE(items, before);
  std::ranges::sort(items);
  EXPECT_EQ(items, before);
}

TEST(Random, ShuffleReachesEveryOrder) {
  SeededRandom random(5);
  std::set<std::array<int, 3>> orders;
  for (int i = 0; i < 200; ++i) {
    std::array<int, 3> items{1, 2, 3};
    random.shuffle(items);
    orders.insert(items);
  }
  EXPECT_EQ(orders.size(), 6U);
}

TEST(SystemRandom, DoesNotRepeatItself) {
  SystemRandom random;
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(random.next());
  EXPECT_EQ(seen.size(), 1000U);
}

TEST(SystemRandom, FillsMoreThanOneSystemCallGives) {
  SystemRandom random;
  std::vector<std::byte> bytes(std::size_t{1} << 20U);
  random.fill(bytes);
  // A block of 64 zeros by chance: once in 2^498.
  for (std::size_t at = 0; at < bytes.size(); at += 64) {
    EXPECT_TRUE(std::any_of(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                            bytes.begin() + static_cast<std::ptrdiff_t>(at + 64),
                            [](std::byte b) { return b != std::byte{0}; }));
  }
}

TEST(SystemRandom, AForkedChildDrawsOtherNumbers) {
  SystemRandom random;
  static_cast<void>(random.next());
  std::array<int, 2> pipe{};
  ASSERT_EQ(::pipe(pipe.data()), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const std::uint64_t drawn = random.next();
    ::_exit(::write(pipe[1], &drawn, sizeof drawn) == sizeof drawn ? 0 : 1);
  }
  std::uint64_t of_child = 0;
  ASSERT_EQ(::read(pipe[0], &of_child, sizeof of_child), static_cast<ssize_t>(sizeof of_child));
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  EXPECT_NE(random.next(), of_child);
  ::close(pipe[0]);
  ::close(pipe[1]);
}

}  // namespace
}  // namespace clever::base
