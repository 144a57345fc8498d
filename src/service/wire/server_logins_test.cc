#include "service/wire/server_logins.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "support/temporary_directory.h"

namespace clever::service {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(ServerAddress, HasOneSpelling) {
  const auto spelled = [](std::string_view typed) { return server_address(typed).value(); };
  EXPECT_EQ(spelled("https://Host.example:7777/"), "https://host.example:7777");
  EXPECT_EQ(spelled("host:7777"), "https://host:7777");
  EXPECT_EQ(spelled("127.0.0.1:7777"), "http://127.0.0.1:7777");
  EXPECT_EQ(spelled("unix:/run/a.sock"), "unix:/run/a.sock");
  for (const std::string_view typed :
       {"", "unix:a.sock", "ftp://a", "https://", "https://a/b", "https://me@a", "a b"}) {
    EXPECT_FALSE(server_address(typed).ok()) << typed;
  }
}

TEST(ServerLogins, KeepOneTokenForEachServer) {
  const test::TemporaryDirectory home;
  EXPECT_FALSE(stored_token(home.path(), "https://a").value().has_value());
  ASSERT_TRUE(store_token(home.path(), "https://a", "first", {}).ok());
  ASSERT_TRUE(store_token(home.path(), "https://b", "other", {}).ok());
  ASSERT_TRUE(store_token(home.path(), "https://a", "second", {}).ok());
  EXPECT_EQ(token_for(home.path(), "https://a").value(), "second");
  EXPECT_THAT(servers_with_login(home.path()).value(), ElementsAre("https://a", "https://b"));
  struct stat facts{};
  ASSERT_EQ(::stat((home / "tokens.json").c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777U, 0600U);
  EXPECT_TRUE(forget_token(home.path(), "https://a", {}).value());
  EXPECT_FALSE(forget_token(home.path(), "https://a", {}).value());
  EXPECT_THAT(token_for(home.path(), "https://a").error().message(),
              HasSubstr("agents login https://a"));
}

TEST(ServerLogins, RefuseAFileThatOthersRead) {
  const test::TemporaryDirectory home;
  ASSERT_TRUE(store_token(home.path(), "https://a", "first", {}).ok());
  ASSERT_EQ(::chmod((home / "tokens.json").c_str(), 0644), 0);
  EXPECT_THAT(stored_token(home.path(), "https://a").error().message(), HasSubstr("chmod 600"));
}

TEST(ServerLogins, TheSocketOfTheHomeTakesItsOwnToken) {
  const test::TemporaryDirectory home;
  home.write("server.token", "abc\n");
  ASSERT_EQ(::chmod((home / "server.token").c_str(), 0600), 0);
  EXPECT_EQ(token_for(home.path(), "unix:" + (home / "server.sock").string()).value(), "abc");
  EXPECT_FALSE(token_for(home.path(), "unix:/elsewhere/server.sock").ok());
  EXPECT_FALSE(token_for(home.path(), "http://127.0.0.1:7777").ok());
}

}  // namespace
}  // namespace clever::service
