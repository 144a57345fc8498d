#include "confine/world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "support/confine_launcher.h"
#include "support/repository.h"
#include "support/temporary_directory.h"

namespace clever::confine {
namespace {

using test::TemporaryDirectory;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(CleanEnvironment, KeepsWhatToolsNeedAndNothingElse) {
  const auto clean = clean_environment(
      {.home = "/home/me",
       .own_home = "/home/me/.own",
       .environment = {"PATH=bin:/usr/bin::/bin", "HOME=/elsewhere", "LANG=de_DE.UTF-8",
                       "LC_TIME=C", "JAVA_HOME=/opt/java", "OPENAI_API_KEY=sk", "TERM=xterm",
                       "SSH_AUTH_SOCK=/run/x", "AWS_SECRET_ACCESS_KEY=y", "odd"}});
  EXPECT_THAT(clean, Contains("PATH=/usr/bin:/bin"));
  EXPECT_THAT(clean, Contains("HOME=/home/me"));
  EXPECT_THAT(clean, Contains("LANG=de_DE.UTF-8"));
  EXPECT_THAT(clean, Contains("LC_TIME=C"));
  EXPECT_THAT(clean, Contains("JAVA_HOME=/opt/java"));
  EXPECT_THAT(clean, Contains("TERM=dumb"));
  EXPECT_THAT(clean, Not(Contains(HasSubstr("KEY"))));
  EXPECT_THAT(clean, Not(Contains(HasSubstr("SOCK"))));
}

TEST(CleanEnvironment, HasAPathAndALanguageInAnyCase) {
  const auto clean = clean_environment({.home = "/h", .own_home = "/o", .environment = {}});
  EXPECT_THAT(clean, Contains("PATH=/usr/local/bin:/usr/bin:/bin"));
  EXPECT_THAT(clean, Contains("LANG=C.UTF-8"));
}

TEST(CleanEnvironment, KeepsNoPasswordInAUrl) {
  const auto clean = clean_environment(
      {.home = "/h", .own_home = "/o", .environment = {"CFLAGS=-DURL=https://me:pw@host/"}});
  EXPECT_THAT(clean, Not(Contains(HasSubstr("CFLAGS"))));
}

TEST(CacheMounts, ShowWhatIsThereWithoutCredentials) {
  const TemporaryDirectory home;
  home.write(".cargo/registry/index", "i");
  home.write(".cargo/credentials.toml", "secret");
  home.write(".m2/settings.xml", "secret");
  const auto mounts = cache_mounts({.home = home.path(), .own_home = "/o", .environment = {}});
  ASSERT_EQ(mounts.size(), 2U);
  EXPECT_EQ(mounts[0].kind, Mount::Kind::kTemporary);
  EXPECT_EQ(mounts[0].target, home.path());
  EXPECT_EQ(mounts[1].kind, Mount::Kind::kReadOnly);
  EXPECT_EQ(mounts[1].target, home / ".cargo/registry");

  auto command =
      test::confined_shell("cd " + home.path().string() + "; find . | sort; touch new && echo own");
  command.mounts = mounts;
  EXPECT_EQ(test::run_confined(command).value().output,
            ".\n./.cargo\n./.cargo/registry\n./.cargo/registry/index\nown\n");
  EXPECT_FALSE(std::filesystem::exists(home / "new"));
}

TEST(CacheMounts, TheRootIsNotAHome) {
  EXPECT_TRUE(cache_mounts({.home = "/", .own_home = "/o", .environment = {}}).empty());
  EXPECT_TRUE(cache_mounts({.home = "", .own_home = "/o", .environment = {}}).empty());
}

class DependencyFolders : public ::testing::Test {
 protected:
  // "path: why" each.
  [[nodiscard]] std::vector<std::string> found(const std::vector<std::string>& include = {}) const {
    std::vector<std::string> texts;
    for (const auto& folder : dependency_folders(repository_.path(), include).value()) {
      texts.push_back(folder.path + ": " + folder.why);
    }
    return texts;
  }

  test::Repository repository_;
};

TEST_F(DependencyFolders, AreFoundPerEcosystem) {
  repository_.write(".gitignore", "node_modules\ntarget\n.venv\nout\nvendor\n_build\n");
  repository_.write("package.json", "{}");
  repository_.write("node_modules/a/package.json", "{}");
  repository_.write("node_modules/a/node_modules/b/x", "");
  repository_.write("rust/Cargo.toml", "");
  repository_.write("rust/target/debug/x", "");
  repository_.write("py/.venv/pyvenv.cfg", "");
  repository_.write("out/CMakeCache.txt", "");
  repository_.write("docs/target/x", "");
  EXPECT_THAT(found(),
              ElementsAre("node_modules: npm", "out: a build tree of CMake",
                          "py/.venv: a virtual environment of Python", "rust/target: Cargo"));
}

TEST_F(DependencyFolders, ExcludeTrackedFolders) {
  repository_.write("go.mod", "");
  repository_.write("vendor/x.go", "");
  EXPECT_TRUE(found().empty());
  repository_.write(".gitignore", "vendor\n");
  EXPECT_THAT(found(), ElementsAre("vendor: Go"));
}

TEST_F(DependencyFolders, AreListedByPatterns) {
  repository_.write(".gitignore", "data\nfixtures\n.env\n*.pem\nlocal.json\n");
  repository_.write("data/x", "");
  repository_.write("a/fixtures/x", "");
  repository_.write("local.json", "");
  repository_.write(".env", "");
  repository_.write("key.pem", "");
  repository_.write(".worktreeinclude", "# what tests need\n/data/\nlocal.*\n*.pem\n");
  EXPECT_THAT(found({"fixtures"}),
              ElementsAre("a/fixtures: sandbox.include", "data: .worktreeinclude",
                          "local.json: .worktreeinclude"));
}

TEST_F(DependencyFolders, SecretsAreListedByName) {
  repository_.write(".gitignore", ".env\nkey.pem\n");
  repository_.write(".env", "");
  repository_.write("key.pem", "");
  repository_.write(".worktreeinclude", "*\n");
  EXPECT_TRUE(found().empty());
  EXPECT_THAT(found({".env", "/key.pem"}),
              ElementsAre(".env: sandbox.include", "key.pem: sandbox.include"));
}

TEST_F(DependencyFolders, LinksAreNotFollowed) {
  const TemporaryDirectory elsewhere;
  repository_.write(".gitignore", "node_modules\n");
  repository_.write("package.json", "{}");
  std::filesystem::create_directory_symlink(elsewhere.path(), repository_.path() / "node_modules");
  EXPECT_TRUE(found().empty());
}

TEST_F(DependencyFolders, OutOfTheProjectIsRefused) {
  const auto result = dependency_folders(repository_.path(), {"../x"});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), base::ErrorCode::kInvalidArgument);
  EXPECT_THAT(result.error().message(), HasSubstr("'../x'"));
}

TEST(DependencyFoldersElsewhere, APlainFolderHasItsOwnIgnoreFile) {
  const TemporaryDirectory folder;
  folder.write("package.json", "{}");
  folder.write("node_modules/x", "");
  EXPECT_TRUE(dependency_folders(folder.path(), {}).value().empty());
  folder.write(".gitignore", "node_modules/\n");
  const auto found = dependency_folders(folder.path(), {}).value();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].path, "node_modules");
}

TEST(DependencyFoldersElsewhere, AMissingFolderIsSaidSo) {
  EXPECT_EQ(dependency_folders("/no/such/folder", {}).error().code(), base::ErrorCode::kNotFound);
}

TEST(DependencyFoldersElsewhere, AnUnreadableListIsSaidSo) {
  const TemporaryDirectory folder;
  std::filesystem::create_directory(folder / ".worktreeinclude");
  EXPECT_FALSE(dependency_folders(folder.path(), {}).ok());
}

}  // namespace
}  // namespace clever::confine
