#include "http/internal/target.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace clever::http::internal {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

Target parsed(std::string_view target, std::string_view method = "GET") {
  auto result = parse_target(method, target);
  EXPECT_TRUE(result.ok()) << target;
  return std::move(result).value_or(Target{});
}

TEST(TargetTest, SplitsBeforeItDecodes) {
  EXPECT_THAT(parsed("/").path, ElementsAre(""));
  EXPECT_THAT(parsed("/v1/plans").path, ElementsAre("v1", "plans"));
  EXPECT_THAT(parsed("/a%2Fb/%C3%A4/c+d").path, ElementsAre("a/b", "ä", "c+d"));
  EXPECT_THAT(parsed("/a//b/").path, ElementsAre("a", "", "b", ""));
}

TEST(TargetTest, ReadsTheQuery) {
  EXPECT_THAT(parsed("/?a=1&b&c=&&a=x+y%26z=2").query,
              ElementsAre(Pair("a", "1"), Pair("b", ""), Pair("c", ""), Pair("a", "x y&z=2")));
  EXPECT_THAT(parsed("/a?").query, IsEmpty());
  EXPECT_THAT(parsed("/a?b?c").query, ElementsAre(Pair("b?c", "")));
}

TEST(TargetTest, KnowsTheOtherForms) {
  EXPECT_THAT(parsed("*", "OPTIONS").path, IsEmpty());
  EXPECT_EQ(parsed("HTTPS://[::1]:80/a").authority, "[::1]:80");
  EXPECT_THAT(parsed("http://host?a=b").path, ElementsAre(""));
}

TEST(TargetTest, RefusesInvalidInput) {
  for (const char* bad :
       {"*", "a", "ftp://a/", "http://", "http:///a", "http://user@a/", "/%", "/%g0", "/%0", "/%+1",
        "/%00", "/%ff", "/a/../b", "/%2E", "/?a=%", "/?%ff=1", "/a#b", ""}) {
    EXPECT_FALSE(parse_target("GET", bad).ok()) << bad;
  }
}

TEST(TargetTest, KnowsAuthorities) {
  for (const char* good : {"a", "a-b.c_d:80", "127.0.0.1:1", "[::1]", "[::ffff:1.2.3.4]:8080"}) {
    EXPECT_TRUE(is_authority(good)) << good;
  }
  for (const char* bad : {"", ":80", "a:", "a:b", "a:65536", "a b", "a/b", "u@a", "[]", "[::1",
                          "[g]", "[::1]x", "a:1:2", "a,b"}) {
    EXPECT_FALSE(is_authority(bad)) << bad;
  }
}

}  // namespace
}  // namespace clever::http::internal
