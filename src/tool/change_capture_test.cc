#include "tool/change_capture.h"

#include <gtest/gtest.h>

#include "support/tool_workspace.h"

namespace clever::tool {
namespace {

using model::ChangeEntry;
using model::ChangeOperation;
using test::path_of;
using test::ToolWorkspace;

class ChangeCapture : public testing::Test {
 protected:
  std::vector<ChangeEntry> changes() {
    return changes_between(*files.store, files.base->tree, workspace().tree().value(),
                           {.tool = "t", .time = model::to_timestamp(7)})
        .value();
  }
  sandbox::Workspace& workspace() { return *files.workspace; }

  ToolWorkspace files{{{"a.txt", "alpha\n"}, {"b.txt", "beta\n"}, {"d/a.txt", "alpha\n"}}};
};

TEST_F(ChangeCapture, NothingChanged) { EXPECT_TRUE(changes().empty()); }

TEST_F(ChangeCapture, ANewFile) {
  workspace().write(path_of("new"), "content").value();
  const auto found = changes();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].path, "new");
  EXPECT_EQ(found[0].operation, ChangeOperation::kCreate);
  EXPECT_FALSE(found[0].before.has_value());
  EXPECT_EQ(found[0].after->hash, base::sha256("content"));
  EXPECT_EQ(found[0].after->mode, 0100644U);
  EXPECT_EQ(found[0].after->object, git::object_id_of(git::ObjectKind::kBlob, "content").to_hex());
  EXPECT_EQ(found[0].tool, "t");
  EXPECT_EQ(found[0].time, model::to_timestamp(7));
}

TEST_F(ChangeCapture, AChangedFile) {
  workspace().write(path_of("a.txt"), "new\n").value();
  const auto found = changes();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].operation, ChangeOperation::kModify);
  EXPECT_EQ(found[0].before->hash, base::sha256("alpha\n"));
  EXPECT_EQ(found[0].after->hash, base::sha256("new\n"));
}

TEST_F(ChangeCapture, ADeletedFile) {
  workspace().remove(path_of("b.txt")).value();
  const auto found = changes();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].operation, ChangeOperation::kDelete);
  EXPECT_FALSE(found[0].after.has_value());
}

TEST_F(ChangeCapture, AMode) {
  workspace().set_executable(path_of("b.txt"), true).value();
  const auto found = changes();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].operation, ChangeOperation::kMode);
  EXPECT_EQ(found[0].after->mode, 0100755U);
}

TEST_F(ChangeCapture, ALink) {
  workspace().write_link(path_of("link"), "a.txt").value();
  const auto found = changes();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].after->mode, 0120000U);
  EXPECT_EQ(found[0].after->hash, base::sha256("a.txt"));
}

TEST_F(ChangeCapture, AMove) {
  workspace().move(path_of("b.txt"), path_of("c/b.txt")).value();
  const auto found = changes();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].operation, ChangeOperation::kMove);
  EXPECT_EQ(found[0].path, "c/b.txt");
  EXPECT_EQ(found[0].from, "b.txt");
  EXPECT_EQ(found[0].before->hash, base::sha256("beta\n"));
  EXPECT_EQ(found[0].after->hash, base::sha256("beta\n"));
}

TEST_F(ChangeCapture, OfSeveralSourcesTheOneWithTheSameNameIsTaken) {
  workspace().write(path_of("x.txt"), "alpha\n").value();
  auto& store = *files.store;
  const auto middle = workspace().tree().value();
  workspace().remove(path_of("a.txt")).value();
  workspace().remove(path_of("x.txt")).value();
  workspace().write(path_of("e/x.txt"), "alpha\n").value();
  const auto found =
      changes_between(store, middle, workspace().tree().value(), {.tool = "t"}).value();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].operation, ChangeOperation::kDelete);
  EXPECT_EQ(found[0].path, "a.txt");
  EXPECT_EQ(found[1].operation, ChangeOperation::kMove);
  EXPECT_EQ(found[1].from, "x.txt");
}

TEST_F(ChangeCapture, ACopyIsACreation) {
  workspace().write(path_of("copy"), "alpha\n").value();
  EXPECT_EQ(changes().at(0).operation, ChangeOperation::kCreate);
}

TEST_F(ChangeCapture, ASubmoduleHasNoBytes) {
  const auto commit = git::ObjectId::from_hex(std::string(40, '1')).value();
  const auto with = git::edit_tree(*files.store, files.base->tree,
                                   {{path_of("sub"), git::Node{git::FileMode::kSubmodule, commit}}})
                        .value();
  const auto found = changes_between(*files.store, files.base->tree, with, {.tool = "t"}).value();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].after->object, commit.to_hex());
  EXPECT_EQ(found[0].after->hash, base::Sha256Digest());
}

TEST_F(ChangeCapture, AMissingTreeIsAnError) {
  const auto missing = git::ObjectId::from_hex(std::string(40, '1')).value();
  EXPECT_FALSE(changes_between(*files.store, files.base->tree, missing, {.tool = "t"}).ok());
}

}  // namespace
}  // namespace clever::tool
