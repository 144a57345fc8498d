#include "service/format.h"

#include <gtest/gtest.h>

#include "cli/look.h"

namespace clever::cli {
namespace {

using namespace service;

io::Environment with(io::Environment::Entries entries) {
  return io::Environment(std::move(entries));
}

TEST(FormatTest, NamesAndFormatsMatch) {
  EXPECT_EQ(format_names().size(), 6U);
  for (const std::string_view name : format_names()) {
    ASSERT_TRUE(format_from_string(name).has_value()) << name;
    EXPECT_EQ(to_string(*format_from_string(name)), name);
  }
  EXPECT_EQ(format_from_string("xml"), std::nullopt);
  EXPECT_EQ(format_from_string(""), std::nullopt);
}

TEST(FormatTest, OnlyJsonAndYamlAreEnvelopes) {
  EXPECT_TRUE(is_for_programs(Format::kJson));
  EXPECT_TRUE(is_for_programs(Format::kYaml));
  EXPECT_TRUE(is_for_programs(Format::kJsonl));
  EXPECT_FALSE(is_for_programs(Format::kRich));
  EXPECT_FALSE(is_for_programs(Format::kPlain));
  EXPECT_FALSE(is_for_programs(Format::kTable));
}

TEST(LookTest, TheFirstLocaleVariableThatIsSetDecides) {
  EXPECT_TRUE(writes_utf8(with({{"LANG", "de_DE.UTF-8"}})));
  EXPECT_TRUE(writes_utf8(with({{"LC_CTYPE", "C.utf8"}, {"LANG", "C"}})));
  EXPECT_TRUE(writes_utf8(with({{"LC_ALL", ""}, {"LANG", "C.UTF-8"}})));
  EXPECT_FALSE(writes_utf8(with({{"LC_ALL", "C"}, {"LANG", "C.UTF-8"}})));
  EXPECT_FALSE(writes_utf8(with({})));
}

TEST(LookTest, ColourFollowsTheChoiceThenTheTerminal) {
  EXPECT_TRUE(wants_color("always", false, with({{"NO_COLOR", "1"}})));
  EXPECT_FALSE(wants_color("never", true, with({})));
  EXPECT_TRUE(wants_color("auto", true, with({{"TERM", "xterm"}})));
  EXPECT_FALSE(wants_color("auto", false, with({})));
}

TEST(LookTest, AutoHonoursNoColorAndDumbTerminals) {
  EXPECT_FALSE(wants_color("auto", true, with({{"NO_COLOR", "1"}})));
  EXPECT_TRUE(wants_color("auto", true, with({{"NO_COLOR", ""}})));
  EXPECT_FALSE(wants_color("auto", true, with({{"TERM", "dumb"}})));
}

}  // namespace
}  // namespace clever::cli
