#include "service/forge/forge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace clever::service {
namespace {

using ::testing::HasSubstr;

Forge forge(std::string_view url, const ForgeSettings& settings = {}) {
  return find_forge(parse_remote(url), settings).value();
}
std::string error(std::string_view url, const ForgeSettings& settings = {}) {
  return find_forge(parse_remote(url), settings).error().message();
}

TEST(Remotes, AreReadInEveryForm) {
  const RemoteAddress https{"https", "github.com", "me/app", ""};
  EXPECT_EQ(parse_remote("https://github.com/me/app.git"), https);
  EXPECT_EQ(parse_remote("https://github.com/me/app/"), https);
  const RemoteAddress ssh{"ssh", "github.com", "me/app", ""};
  EXPECT_EQ(parse_remote("git@github.com:me/app.git"), ssh);
  EXPECT_EQ(parse_remote("ssh://git@GitHub.com:22/me/app.git"), ssh);
  EXPECT_EQ(parse_remote("github.com:/me/app"), ssh);
  EXPECT_EQ(parse_remote("http://localhost:3000/me/app").host, "localhost:3000");
  EXPECT_EQ(parse_remote("https://gitlab.com/a/b/c.git").path, "a/b/c");
  EXPECT_EQ(parse_remote("/srv/git/app.git").host, "");
  EXPECT_EQ(parse_remote("./a:b/c").host, "");
  EXPECT_EQ(parse_remote("file:///srv/app").host, "");
  EXPECT_EQ(parse_remote("").path, "");
}

TEST(Remotes, SayWhatIsSecretInThem) {
  EXPECT_EQ(parse_remote("https://me:s3cret@github.com/me/app").password, "s3cret");
  EXPECT_EQ(parse_remote("https://t0ken@github.com/me/app").password, "t0ken");
  EXPECT_EQ(parse_remote("https://me:s3cret@github.com/me/app").host, "github.com");
  EXPECT_EQ(parse_remote("ssh://git@github.com/me/app").password, "");
}

TEST(Forges, AreFoundByTheHost) {
  EXPECT_EQ(forge("git@github.com:me/app.git").api, "https://api.github.com");
  EXPECT_EQ(forge("git@github.example.org:me/app.git").api, "https://github.example.org/api/v3");
  EXPECT_EQ(forge("https://team.ghe.com/me/app").api, "https://api.team.ghe.com");
  EXPECT_EQ(forge("git@gitlab.com:a/b/c.git").api, "https://gitlab.com/api/v4");
  EXPECT_EQ(forge("git@gitlab.com:a/b/c.git").repository, "a/b/c");
  EXPECT_EQ(forge("https://codeberg.org/me/app").kind, ForgeKind::kForgejo);
  EXPECT_EQ(forge("https://codeberg.org/me/app").api, "https://codeberg.org/api/v1");
  EXPECT_EQ(forge("ssh://git@forgejo.example.org:2222/me/app").api,
            "https://forgejo.example.org/api/v1");
}

TEST(Forges, AreAsTheSettingsSay) {
  const Forge found = forge("https://code.example.org/me/app", {.kind = "gitlab"});
  EXPECT_EQ(found.api, "https://code.example.org/api/v4");
  EXPECT_EQ(forge("git@github.com:me/app", {.api = "https://proxy.example.org/gh/"}).api,
            "https://proxy.example.org/gh");
  EXPECT_EQ(
      forge("/srv/app.git",
            {.kind = "forgejo", .api = "http://127.0.0.1:3000/api/v1", .repository = "me/app"})
          .repository,
      "me/app");
}

TEST(Forges, SayWhatIsMissing) {
  EXPECT_THAT(error("https://code.example.org/me/app"), HasSubstr("forge.kind"));
  EXPECT_THAT(error("/srv/app.git"), HasSubstr("forge.kind"));
  EXPECT_THAT(error("/srv/app.git", {.kind = "github"}), HasSubstr("forge.api"));
  EXPECT_THAT(error("/srv/app.git", {.kind = "github", .api = "https://api.github.com"}),
              HasSubstr("--repository OWNER/NAME"));
  EXPECT_THAT(error("git@github.com:app"), HasSubstr("--repository OWNER/NAME"));
  EXPECT_THAT(error("git@github.com:me/app", {.kind = "svn"}), HasSubstr("gitlab"));
}

TEST(Forges, NeverGetATokenUnencrypted) {
  EXPECT_THAT(error("http://gitlab.example.org/me/app"), HasSubstr("not https"));
  EXPECT_THAT(error("git@github.com:me/app", {.api = "http://127.0.0.1.example.org"}),
              HasSubstr("not https"));
  EXPECT_EQ(forge("http://localhost:8929/me/app", {.kind = "gitlab"}).api,
            "http://localhost:8929/api/v4");
}

TEST(Forges, OfUnknownHostsAreTrustedByThePersonAlone) {
  EXPECT_TRUE(forge("git@github.com:me/app").trusted);
  EXPECT_TRUE(forge("https://codeberg.org/me/app").trusted);
  EXPECT_FALSE(forge("git@github.evil.example:me/app").trusted);
  EXPECT_FALSE(forge("https://gitlab.com.evil.example/me/app").trusted);
  EXPECT_TRUE(forge("git@gitlab.example.org:me/app", {.kind = "gitlab"}).trusted);
  EXPECT_FALSE(forge("git@gitlab.example.org:me/app", {.kind = "auto"}).trusted);
}

TEST(Forges, GetBranchesWithAnyCharacter) {
  EXPECT_EQ(percent_encoded("agents/fix a&b"), "agents%2Ffix%20a%26b");
}

}  // namespace
}  // namespace clever::service
