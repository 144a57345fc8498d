#include "model/internal/yaml_quote.h"

#include <gtest/gtest.h>

namespace clever::model::internal {
namespace {

TEST(YamlQuote, IsClosedByItsLike) {
  EXPECT_TRUE(is_yaml_quote_closed("- \"One\"", 2));
  EXPECT_TRUE(is_yaml_quote_closed("- 'One'\n", 2));
  EXPECT_TRUE(is_yaml_quote_closed("- \"it's\"", 2));
  EXPECT_TRUE(is_yaml_quote_closed("''", 0));
}

TEST(YamlQuote, TheEndOfTheTextClosesNothing) {
  EXPECT_FALSE(is_yaml_quote_closed("- \"One\n- Two\n", 2));
  EXPECT_FALSE(is_yaml_quote_closed("- 'One\n", 2));
  EXPECT_FALSE(is_yaml_quote_closed("\"", 0));
}

TEST(YamlQuote, EscapedQuotesDoNotCloseIt) {
  EXPECT_FALSE(is_yaml_quote_closed("\"a\\\"", 0));
  EXPECT_TRUE(is_yaml_quote_closed("\"a\\\\\"", 0));
  EXPECT_FALSE(is_yaml_quote_closed("'a''", 0));
  EXPECT_TRUE(is_yaml_quote_closed("'a'''", 0));
}

TEST(YamlQuote, WhereNoneIsNothingIsOpen) {
  EXPECT_TRUE(is_yaml_quote_closed("plain", 0));
  EXPECT_TRUE(is_yaml_quote_closed("\"", 9));
}

TEST(YamlQuote, PositionsAreCountedBehindAByteOrderMark) {
  EXPECT_FALSE(is_yaml_quote_closed("\xEF\xBB\xBF'a", 0));
}

}  // namespace
}  // namespace clever::model::internal
