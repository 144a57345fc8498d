#include "base/number.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace clever::base {
namespace {

TEST(NumberTest, IsTheWholeText) {
  EXPECT_EQ(to_number<int>("42"), 42);
  EXPECT_EQ(to_number<int>("-42"), -42);
  for (const char* const text : {"", " 42", "42 ", "+42", "4 2", "42s", "0x2a", "4.2", "-"}) {
    EXPECT_EQ(to_number<int>(text), std::nullopt) << text;
  }
}

TEST(NumberTest, FitsItsType) {
  EXPECT_EQ(to_number<std::uint16_t>("65535"), 65535);
  EXPECT_EQ(to_number<std::uint16_t>("65536"), std::nullopt);
  EXPECT_EQ(to_number<std::uint16_t>("-1"), std::nullopt);
  EXPECT_EQ(to_number<std::int64_t>("9223372036854775808"), std::nullopt);
}

TEST(NumberTest, HasTheRadixThatWasAskedFor) {
  EXPECT_EQ(to_number<int>("755", 8), 0755);
  EXPECT_EQ(to_number<int>("ff", 16), 255);
  EXPECT_EQ(to_number<int>("8", 8), std::nullopt);
}

TEST(NumberTest, IsFinite) {
  EXPECT_EQ(to_number<double>("0.25"), 0.25);
  EXPECT_EQ(to_number<double>("1e3"), 1000);
  for (const char* const text : {"inf", "nan", "1e999", "0.25 ", ""}) {
    EXPECT_EQ(to_number<double>(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace clever::base
