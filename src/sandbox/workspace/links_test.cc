#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/test_workspace.h"

namespace clever::sandbox {
namespace {

using base::ErrorCode;
using git::FileMode;
using test::path_of;
using test::TestWorkspace;
using testing::HasSubstr;

TestWorkspace linked() {
  return TestWorkspace({{"dir/file", "content"},
                        {"to_file", "dir/file", FileMode::kLink},
                        {"to_dir", "dir", FileMode::kLink},
                        {"dir/up", "../dir/./file", FileMode::kLink},
                        {"out", "../../etc", FileMode::kLink},
                        {"absolute", "/etc/passwd", FileMode::kLink},
                        {"git", ".git/config", FileMode::kLink},
                        {"loop", "loop", FileMode::kLink},
                        {"dangling", "none", FileMode::kLink},
                        {"root", "dir/..", FileMode::kLink}});
}

ErrorCode refusal(const TestWorkspace& workspace, std::string_view path) {
  return workspace->read(path_of(path)).error().code();
}

TEST(WorkspaceLinks, AreFollowedWithinTheTree) {
  const auto workspace = linked();
  for (const char* path : {"to_file", "to_dir/file", "dir/up", "to_dir/up"}) {
    EXPECT_EQ(workspace.read(path), "content") << path;
  }
}

TEST(WorkspaceLinks, ReadingThroughALinkReadsBoth) {
  const auto workspace = linked();
  EXPECT_EQ(workspace.read("to_dir/file"), "content");
  EXPECT_THAT(workspace->reads(), testing::ElementsAre("dir/file", "to_dir", "to_dir/file"));
}

TEST(WorkspaceLinks, ThatLeadOutAreRefused) {
  const auto workspace = linked();
  for (const char* path : {"out", "out/passwd", "absolute", "git"}) {
    EXPECT_EQ(refusal(workspace, path), ErrorCode::kPermissionDenied) << path;
    EXPECT_EQ(workspace->write(path_of(path), "x").error().code(), ErrorCode::kPermissionDenied);
  }
  EXPECT_THAT(workspace->read(path_of("out/passwd")).error().message(), HasSubstr("link out"));
  EXPECT_EQ(workspace.status(), "");
}

TEST(WorkspaceLinks, InACircleAreRefused) {
  const auto workspace = linked();
  EXPECT_EQ(refusal(workspace, "loop"), ErrorCode::kInvalidArgument);
  EXPECT_EQ(refusal(workspace, "loop/x"), ErrorCode::kInvalidArgument);
}

TEST(WorkspaceLinks, MayLeadNowhere) {
  const auto workspace = linked();
  EXPECT_EQ(refusal(workspace, "dangling"), ErrorCode::kNotFound);
  ASSERT_TRUE(workspace->write(path_of("dangling"), "made").ok());
  EXPECT_EQ(workspace.read("none"), "made");
}

TEST(WorkspaceLinks, ToTheRootItselfAreNoFile) {
  const auto workspace = linked();
  EXPECT_EQ(refusal(workspace, "root"), ErrorCode::kInvalidArgument);
  EXPECT_EQ(workspace.read("root/dir/file"), "content");
}

TEST(WorkspaceLinks, WritingGoesToWhatTheyName) {
  const auto workspace = linked();
  ASSERT_TRUE(workspace->write(path_of("to_file"), "1").ok());
  ASSERT_TRUE(workspace->write(path_of("to_dir/new"), "2").ok());
  EXPECT_EQ(workspace.read("dir/file"), "1");
  EXPECT_EQ(workspace.read("dir/new"), "2");
  EXPECT_EQ(workspace.status(), "M dir/file A dir/new ");
}

TEST(WorkspaceLinks, AreRemovedAndMovedThemselves) {
  const auto workspace = linked();
  ASSERT_TRUE(workspace->remove(path_of("to_file")).ok());
  ASSERT_TRUE(workspace->move(path_of("to_dir"), path_of("elsewhere")).ok());
  EXPECT_EQ(workspace.read("elsewhere/file"), "content");
  EXPECT_EQ(workspace.status(), "A elsewhere D to_dir D to_file ");
}

TEST(WorkspaceLinks, CanBeWritten) {
  const auto workspace = linked();
  ASSERT_TRUE(workspace->write_link(path_of("new"), "dir/file").ok());
  EXPECT_EQ(workspace.read("new"), "content");
  ASSERT_TRUE(workspace->write_link(path_of("new"), "none").ok());
  EXPECT_EQ(workspace.read("new"), "not_found");
  for (const std::string& target :
       {std::string(), std::string("a\0b", 3), std::string(5000, 'a')}) {
    EXPECT_EQ(workspace->write_link(path_of("bad"), target).error().code(),
              ErrorCode::kInvalidArgument);
  }
}

TEST(WorkspaceLinks, AbsoluteOnesIntoTheProjectAreWithin) {
  const auto workspace = linked();
  const std::string target = (workspace.folder() / "project/dir").string();
  ASSERT_TRUE(workspace->write_link(path_of("inside"), target).ok());
  EXPECT_EQ(workspace.read("inside/file"), "content");
  ASSERT_TRUE(workspace->write_link(path_of("beside"), target + "/../../x").ok());
  EXPECT_EQ(refusal(workspace, "beside"), ErrorCode::kPermissionDenied);
}

TEST(WorkspaceLinks, ALinkThatReplacesAFolderIsALink) {
  const auto workspace = linked();
  ASSERT_TRUE(workspace->remove(path_of("dir")).ok());
  ASSERT_TRUE(workspace->write_link(path_of("dir"), "/etc").ok());
  EXPECT_EQ(refusal(workspace, "dir/passwd"), ErrorCode::kPermissionDenied);
  EXPECT_EQ(refusal(workspace, "to_dir/file"), ErrorCode::kPermissionDenied);
}

}  // namespace
}  // namespace clever::sandbox
