#include "git/secret_paths.h"

#include <gtest/gtest.h>

namespace clever::git {
namespace {

void check(std::string_view path, Secrecy expected, SecretRules rules = {}) {
  EXPECT_EQ(SecretPaths(std::move(rules), "/project").secrecy(path), expected) << path;
}

TEST(SecretPaths, KnowsFilesByTheirNames) {
  for (const char* path :
       {".env", ".env.local", "config/.env.production", ".ssh/id_rsa", "home/.ssh/config", ".aws/x",
        ".gnupg/a/b", ".config/gcloud/x.db", "a/.docker/config.json", ".netrc", ".git-credentials",
        ".pgpass", ".kube/config", ".azure/a", "id_ed25519", "vault.kdbx", ".password-store/a.gpg",
        ".mozilla/firefox/p/logins.json", ".config/google-chrome/Default/Cookies"}) {
    check(path, Secrecy::kSecret);
  }
  for (const char* path : {"prod.env", "server.pem", "tls/server.key", "credentials.json",
                           "secrets.yaml", "id_rsa.pub", "terraform.tfstate"}) {
    check(path, Secrecy::kLikely);
  }
  for (const char* path : {".npmrc", "web/.npmrc", ".pypirc", ".yarnrc.yml"}) {
    check(path, Secrecy::kByContent);
  }
  for (const char* path :
       {"", "env", "main.cc", ".environment", "ssh/config", "docker/config.json", "config/gcloud",
        ".env.example", ".env.production.sample", "src/keys/a.cc", "x.docker/config.json"}) {
    check(path, Secrecy::kNone);
  }
}

TEST(SecretPaths, UpperAndLowerCaseAreTheSame) {
  check(".SSH/key", Secrecy::kSecret);
  check(".Env", Secrecy::kSecret);
}

TEST(SecretPaths, OnlyTheNameItselfShowsASecret) {
  check("a/.env", Secrecy::kNone, {.include = {".env"}});
  check("a/.env", Secrecy::kNone, {.include = {"a/.env"}});
  check("a/.env", Secrecy::kNone, {.include = {"/a/.env/"}});
  check(".ssh/id_rsa", Secrecy::kNone, {.include = {".ssh"}});
  check("a/.env", Secrecy::kSecret, {.include = {"/.env"}});
  check("a/.env", Secrecy::kSecret, {.include = {"a"}});
  check("a/.env", Secrecy::kSecret, {.include = {"a/"}});
  check("a/.env", Secrecy::kSecret, {.include = {".e*", "*", "!.env", ""}});
  check(".ssh/id_rsa", Secrecy::kSecret, {.include = {"id_rsa"}});
}

TEST(SecretPaths, OurOwnHomeIsHiddenWhateverIsListed) {
  const SecretRules rules{.include = {"state"}, .own_home = "/project/state"};
  check("state", Secrecy::kSecret, rules);
  check("state/db", Secrecy::kSecret, rules);
  check("stateful", Secrecy::kNone, rules);
  check("db", Secrecy::kNone, {.own_home = "/elsewhere"});
  check("db", Secrecy::kNone, {.own_home = "/project"});
}

TEST(SecretPaths, ContentDecidesAboutSettingsOfPackageManagers) {
  const SecretPaths secrets({}, "/project");
  const auto hides = [&](std::string_view path, const std::string& content) {
    return secrets.hides(path, [&] { return content; });
  };
  EXPECT_TRUE(hides(".npmrc", "//registry.npmjs.org/:_authToken=npm_abc\n"));
  EXPECT_TRUE(hides(".pypirc", "[pypi]\nusername: a\npassword: b\n"));
  EXPECT_FALSE(hides(".npmrc", "registry=https://r.example\nalways-auth=true\n"));
  EXPECT_FALSE(hides(".npmrc", "//r.example/:_authToken=${NPM_TOKEN}\n_password=\n"));
  EXPECT_TRUE(secrets.hides(".npmrc", [] { return base::not_found("unreadable"); }));
  EXPECT_TRUE(secrets.hides(".env", [] { return base::Result<std::string>(""); }));
}

}  // namespace
}  // namespace clever::git
