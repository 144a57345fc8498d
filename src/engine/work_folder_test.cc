#include "engine/work_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temporary_directory.h"

namespace clever::engine {
namespace {

using testing::HasSubstr;

const WorkFolderRules kRules{.home = "/home/ada", .own_home = "/home/ada/.local/share/agents"};

base::Result<void> checked(const char* folder) {
  return check_work_folder({.root = folder}, kRules);
}

TEST(WorkFolder, FoldersOfTheSystemAreRefused) {
  for (const char* folder : {"/", "/usr", "/usr/share", "/etc/ssl", "/var/lib/x", "/bin", "/lib64",
                             "/boot", "/proc/self", "/sys", "/dev", "/run/user/1000", "/home",
                             "/root", "/tmp", "/opt", "/var/tmp"}) {
    const auto result = checked(folder);
    ASSERT_FALSE(result.ok()) << folder;
    EXPECT_EQ(result.error().code(), base::ErrorCode::kPermissionDenied);
    EXPECT_THAT(result.error().message(), HasSubstr("system folder"));
  }
}

TEST(WorkFolder, HomesAndSecretsAreRefused) {
  for (const char* folder :
       {"/home/ada", "/home/ada/.local/share/agents", "/home/ada/.local/share/agents/sandboxes",
        "/home/ada/.ssh", "/home/ada/.config/gcloud/x"}) {
    EXPECT_FALSE(checked(folder).ok()) << folder;
  }
  EXPECT_FALSE(check_work_folder({.root = "/data"}, {.home = "/data/people/ada"}).ok());
}

TEST(WorkFolder, OthersAreNot) {
  for (const char* folder :
       {"/home/ada/notes", "/home/ada/usr", "/tmp/x", "/var/tmp/x", "/var/www/site", "/opt/app",
        "/srv/a", "/usr2", "/root/x", "/run/media/ada/disk"}) {
    EXPECT_TRUE(checked(folder).ok()) << folder;
  }
}

TEST(WorkFolder, ARepositoryIsAPersonsDecision) {
  const git::Project repository{.kind = git::ProjectKind::kRepository, .root = "/etc"};
  EXPECT_TRUE(check_work_folder(repository, kRules).ok());
  EXPECT_TRUE(is_named_project(repository, kRules));
}

TEST(WorkFolder, SettingsOfItsOwnMakeItAProject) {
  const test::TemporaryDirectory folder;
  const git::Project project{.root = folder.path()};
  EXPECT_FALSE(is_named_project(project, kRules));
  folder.write(".cleveragents/config.toml", "");
  EXPECT_TRUE(is_named_project(project, kRules));
  EXPECT_FALSE(is_named_project(project, {.own_home = folder / ".cleveragents"}));
}

}  // namespace
}  // namespace clever::engine
