#include "base/ulid.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <unordered_set>
#include <vector>

namespace clever::base {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;

WallTime at(std::int64_t unix_milliseconds) { return WallTime(milliseconds(unix_milliseconds)); }

std::string parse_error(std::string_view text) {
  const auto parsed = Ulid::parse(text);
  return parsed.ok() ? "parsed as " + parsed->to_string() : parsed.error().to_string();
}

// Every bit set: the random part is at its end at once.
class FullRandom final : public Random {
 public:
  std::uint64_t next() override { return ~std::uint64_t{0}; }
};

TEST(Ulid, WritesAndReadsTheSpecificationsExample) {
  const auto ulid = Ulid::parse("01ARZ3NDEKTSV4RRFFQ69G5FAV");
  ASSERT_TRUE(ulid.ok());
  EXPECT_EQ(ulid->to_string(), "01ARZ3NDEKTSV4RRFFQ69G5FAV");
  EXPECT_EQ(ulid->timestamp(), at(1469922850259));
}

TEST(Ulid, ReadsLowerCase) {
  EXPECT_EQ(Ulid::parse("01arz3ndektsv4rrffq69g5fav").value(),
            Ulid::parse("01ARZ3NDEKTSV4RRFFQ69G5FAV").value());
}

TEST(Ulid, TheDefaultIsAllZeros) {
  EXPECT_EQ(Ulid().to_string(), std::string(26, '0'));
  EXPECT_EQ(Ulid().timestamp(), at(0));
}

TEST(Ulid, ReachesTheLargestValue) {
  Ulid::Bytes ones;
  ones.fill(0xff);
  EXPECT_EQ(Ulid(ones).to_string(), "7" + std::string(25, 'Z'));
  EXPECT_EQ(Ulid::parse("7" + std::string(25, 'Z')).value().bytes(), ones);
}

TEST(Ulid, ItsTimeReachesBeyondTheWallClocks) {
  EXPECT_EQ(Ulid::parse("7" + std::string(25, 'Z')).value().timestamp().time_since_epoch(),
            milliseconds((std::int64_t{1} << 48) - 1));
}

TEST(Ulid, RefusesAValueOfMoreThan128Bits) {
  EXPECT_EQ(parse_error("8" + std::string(25, '0')),
            "an id is at most 7ZZZZZZZZZZZZZZZZZZZZZZZZZ; this one begins with '8' "
            "(invalid_argument)");
  EXPECT_THAT(parse_error(std::string(26, 'Z')), HasSubstr("begins with 'Z'"));
}

TEST(Ulid, RefusesAnotherLength) {
  EXPECT_THAT(parse_error(""), HasSubstr("26 characters, this one has 0"));
  EXPECT_THAT(parse_error(std::string(25, '0')), HasSubstr("this one has 25"));
  EXPECT_THAT(parse_error(std::string(27, '0')), HasSubstr("this one has 27"));
}

TEST(Ulid, RefusesLettersThatLookLikeDigits) {
  for (const char letter : std::string_view("ILOUilou")) {
    std::string text(26, '0');
    text[4] = letter;
    EXPECT_EQ(parse_error(text),
              std::string("an id has digits and letters without I, L, O and U; character 5 is '") +
                  letter + "' (invalid_argument)");
  }
}

TEST(Ulid, NamesAnUnprintableCharacterByItsByte) {
  EXPECT_THAT(parse_error(std::string(25, '0') + '\n'), HasSubstr("character 26 is byte 0x0a"));
  EXPECT_THAT(parse_error("\xc3\xa4" + std::string(24, '0')),
              HasSubstr("character 1 is byte 0xc3"));
}

TEST(Ulid, TextSortsAsTheValuesDo) {
  EXPECT_TRUE(rc::check([](const Ulid::Bytes& a, const Ulid::Bytes& b) {
    const Ulid left(a);
    const Ulid right(b);
    RC_ASSERT((left < right) == (left.to_string() < right.to_string()));
    RC_ASSERT((left == right) == (left.to_string() == right.to_string()));
  }));
}

TEST(Ulid, EveryValueReadsBackFromItsText) {
  EXPECT_TRUE(rc::check([](const Ulid::Bytes& bytes) {
    const Ulid ulid(bytes);
    std::string text = ulid.to_string();
    RC_ASSERT(Ulid::parse(text).value() == ulid);
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
    RC_ASSERT(Ulid::parse(text).value() == ulid);
  }));
}

TEST(Ulid, RubbishIsRefusedOrReadsBack) {
  SeededRandom random(20);
  int parsed_count = 0;
  for (int i = 0; i < 50'000; ++i) {
    std::string text = Ulid().to_string();
    const auto changes = random.below(4);
    for (std::uint64_t c = 0; c < changes; ++c) {
      text[random.below(text.size())] = static_cast<char>(random.below(256));
    }
    text.resize(random.below(8) == 0 ? random.below(40) : text.size(), '0');
    const auto parsed = Ulid::parse(text);
    if (!parsed.ok()) continue;
    ++parsed_count;
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::toupper(c); });
    EXPECT_EQ(parsed->to_string(), text);
  }
  EXPECT_GT(parsed_count, 1000);
}

TEST(Ulid, HashesLikeAKey) {
  SimulatedClock clock;
  SeededRandom random(1);
  UlidGenerator generator(clock, random);
  std::unordered_set<Ulid> ids;
  std::unordered_set<std::size_t> hashes;
  for (int i = 0; i < 1000; ++i) {
    const Ulid id = generator.next();
    ids.insert(id);
    hashes.insert(std::hash<Ulid>()(id));
  }
  EXPECT_EQ(ids.size(), 1000U);
  EXPECT_EQ(hashes.size(), 1000U);
}

class UlidGeneratorTest : public testing::Test {
 protected:
  SimulatedClock clock_{at(1'700'000'000'123)};
  SeededRandom random_{99};
  UlidGenerator generator_{clock_, random_};
};

TEST_F(UlidGeneratorTest, CarriesTheWallClocksTime) {
  EXPECT_EQ(generator_.next().timestamp(), at(1'700'000'000'123));
  clock_.advance(milliseconds(5));
  EXPECT_EQ(generator_.next().timestamp(), at(1'700'000'000'128));
}

TEST_F(UlidGeneratorTest, CountsUpWhileTheClockStandsStill) {
  Ulid last = generator_.next();
  for (int i = 0; i < 1000; ++i) {
    const Ulid next = generator_.next();
    EXPECT_LT(last, next);
    EXPECT_EQ(next.timestamp(), last.timestamp());
    last = next;
  }
}

TEST_F(UlidGeneratorTest, KeepsIncreasingWhenTheClockGoesBack) {
  const Ulid before = generator_.next();
  clock_.set_wall(at(1'600'000'000'000));
  const Ulid after = generator_.next();
  EXPECT_LT(before, after);
  EXPECT_EQ(after.timestamp(), before.timestamp());
}

TEST_F(UlidGeneratorTest, DrawsFreshRandomnessEachMillisecond) {
  const auto random_part = [](const Ulid& id) { return id.to_string().substr(10); };
  const Ulid first = generator_.next();
  clock_.advance(milliseconds(1));
  const Ulid second = generator_.next();
  EXPECT_NE(random_part(first).substr(0, 8), random_part(second).substr(0, 8));
}

TEST_F(UlidGeneratorTest, IncreasesOverARandomWalkOfTheClock) {
  Ulid last;
  for (int i = 0; i < 5000; ++i) {
    clock_.set_wall(at(1'700'000'000'000 + static_cast<std::int64_t>(random_.below(50))));
    const Ulid next = generator_.next();
    ASSERT_LT(last, next);
    last = next;
  }
}

TEST(UlidGenerator, MovesTheTimeOnWhenTheRandomPartOverflows) {
  SimulatedClock clock(at(1000));
  FullRandom random;
  UlidGenerator generator(clock, random);
  const Ulid first = generator.next();
  const Ulid second = generator.next();
  EXPECT_EQ(first.timestamp(), at(1000));
  EXPECT_EQ(second.timestamp(), at(1001));
  EXPECT_LT(first, second);
}

TEST(UlidGenerator, CarriesFromTheLowToTheHighRandomBits) {
  class HighZero final : public Random {
   public:
    std::uint64_t next() override { return first_ ? (first_ = false, 0) : ~std::uint64_t{0}; }

   private:
    bool first_ = true;
  };
  SimulatedClock clock(at(1000));
  HighZero random;
  UlidGenerator generator(clock, random);
  EXPECT_EQ(generator.next().bytes()[7], 0);
  const Ulid second = generator.next();
  EXPECT_EQ(second.bytes()[7], 1);
  EXPECT_EQ(second.bytes()[15], 0);
  EXPECT_EQ(second.timestamp(), at(1000));
}

TEST(UlidGenerator, TakesTimesBefore1970AsZero) {
  SimulatedClock clock(at(-5));
  SeededRandom random(1);
  EXPECT_EQ(UlidGenerator(clock, random).next().timestamp(), at(0));
}

}  // namespace
}  // namespace clever::base
