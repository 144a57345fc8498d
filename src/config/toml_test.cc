#include "config/toml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace clever::config {
namespace {

using ::testing::ElementsAre;
using ::testing::StartsWith;

TEST(ParseToml, GivesValuesWithTheirPlaces) {
  const auto values = *parse_toml("[a.\"b c\"]\nx = 1.5\ny = 'z'\n", "f.toml");
  ASSERT_EQ(values.size(), 2U);
  EXPECT_THAT(values[0].path, ElementsAre("a", "b c", "x"));
  EXPECT_EQ(values[0].kind, TomlKind::kNumber);
  EXPECT_EQ(values[0].text, "1.5");
  EXPECT_EQ(values[0].line, 2U);
  EXPECT_EQ(values[1].text, "z");
  EXPECT_EQ(to_string(values[1].kind), "a string");
}

TEST(ParseToml, NamesThePlaceOfAMistake) {
  EXPECT_THAT(parse_toml("\nx = [", "f.toml").error().message(), StartsWith("f.toml:2: "));
}

}  // namespace
}  // namespace clever::config
