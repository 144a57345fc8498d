#include "model/permission_pattern.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace clever::model {
namespace {

using ::testing::HasSubstr;

TEST(PermissionPattern, AToolAndWhatItIsCalledWith) {
  EXPECT_EQ(parse_permission("write_file").value(), (PermissionPattern{"write_file", ""}));
  EXPECT_EQ(parse_permission("run_command(git push *)").value(),
            (PermissionPattern{"run_command", "git push *"}));
  EXPECT_EQ(parse_permission("mcp__*").value().tool, "mcp__*");
  EXPECT_EQ(parse_permission("run_command(a (b))").value().argument, "a (b)");
}

TEST(PermissionPattern, RefusalsNameTheMistake) {
  const auto error = [](std::string_view text) {
    const auto parsed = parse_permission(text);
    return parsed.ok() ? std::string() : parsed.error().message();
  };
  EXPECT_THAT(error(""), HasSubstr("names no tool"));
  EXPECT_THAT(error("(x)"), HasSubstr("names no tool"));
  EXPECT_THAT(error("run command"), HasSubstr("letters, digits"));
  EXPECT_THAT(error("run_command(git"), HasSubstr("the ) at its end is missing"));
  EXPECT_THAT(error("run_command( )"), HasSubstr("nothing between"));
  EXPECT_THAT(error("run_command(a\nb)"), HasSubstr("one line"));
  EXPECT_THAT(error("run_command(\xff)"), HasSubstr("one line of UTF-8"));
  EXPECT_THAT(error("run_command(a (b)"), HasSubstr("a ( in it is not closed"));
  EXPECT_THAT(error("run_command(a) (b)"), HasSubstr("a ) not opened"));
  EXPECT_THAT(error(std::string(2'000, 'a')), HasSubstr("longer than 1000 bytes"));
  EXPECT_THAT(error("run_command("), HasSubstr("such as run_command(git push *)"));
}

}  // namespace
}  // namespace clever::model
