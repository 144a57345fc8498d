#include "engine/actor/code_views.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/clock.h"
#include "base/monitor.h"
#include "support/memory_corpus.h"
#include "support/test_view.h"
#include "support/tool_workspace.h"

namespace clever::engine {
namespace {

using test::TestIndex;
using test::ToolWorkspace;

class CodeViewsTest : public testing::Test {
 protected:
  CodeViews::Sources sources() {
    return {
        .index =
            [this](index::IndexOptions options) -> base::Result<std::unique_ptr<index::CodeIndex>> {
          opened_.update([&](auto& folders) { folders.push_back(options.folder.string()); });
          if (broken_.read([](bool broken) { return broken; })) {
            return base::unavailable("the disk is gone");
          }
          auto made = std::make_unique<TestIndex>();
          index_ = made.get();
          return made;
        },
        .history = [this](const git::Project&, const context::History::Options&,
                          const base::StopToken&)
            -> base::Result<std::shared_ptr<const context::History>> {
          if (broken_.read([](bool broken) { return broken; })) {
            return base::unavailable("no git");
          }
          return std::make_shared<const test::TestHistory>();
        },
        .corpus =
            [](const std::shared_ptr<git::ObjectStore>&, const git::ObjectId&) {
              return std::make_shared<test::MemoryCorpus>(
                  std::map<std::string, std::string>{{"a.cc", "a"}, {"b.md", "b"}});
            }};
  }
  [[nodiscard]] CodeViews::Files files(model::Phase phase = model::Phase::kStrategize) const {
    return {.project = project_,
            .store = workspace_.store,
            .tree = workspace_.base->tree,
            .commit = std::string(40, 'c'),
            .phase = phase};
  }
  base::Result<CodeViews::Seen> look(CodeViews& views,
                                     model::Phase phase = model::Phase::kStrategize) {
    return views.look(files(phase), {}, base::Deadline::never());
  }

  const ToolWorkspace workspace_{{{"a.cc", "a"}}};
  git::Project project_{.root = "/p/shop"};
  base::ThreadPool pool_{{.name = "index", .threads = 1}};
  base::Monitor<std::vector<std::string>> opened_;
  base::Monitor<bool> broken_;
  TestIndex* index_ = nullptr;
};

TEST_F(CodeViewsTest, ATreeIsLookedAtOnce) {
  CodeViews views(pool_, {.folder = "/home/index"}, sources());
  const auto first = look(views).value();
  const auto second = look(views).value();
  EXPECT_EQ(first.view, second.view);
  EXPECT_EQ(first.view->size(), 2U);
  EXPECT_NE(first.history, nullptr);
  EXPECT_EQ(index_->views(), 1);
}

TEST_F(CodeViewsTest, WhatWasPreparedIsThere) {
  CodeViews views(pool_, {.folder = "/home/index"}, sources());
  views.prepare(files());
  views.prepare(files());
  EXPECT_TRUE(look(views).ok());
  EXPECT_EQ(index_->views(), 1);
}

TEST_F(CodeViewsTest, APhaseSeesWhatItsRulesAdmit) {
  CodeViews views(
      pool_, {.folder = "/home/index", .rules = {{model::Phase::kExecute, {.exclude = {"*.md"}}}}},
      sources());
  EXPECT_EQ(look(views, model::Phase::kStrategize)->view->size(), 2U);
  EXPECT_EQ(look(views, model::Phase::kExecute)->view->size(), 1U);
  // Nothing else is said about it.
  EXPECT_EQ(look(views, model::Phase::kApply)->view->size(), 1U);
  EXPECT_EQ(views.rules_of(model::Phase::kStrategize), ViewRules{});
}

TEST_F(CodeViewsTest, AnIndexPerProjectInAFolderOfItsOwn) {
  CodeViews views(pool_, {.folder = "/home/index"}, sources());
  (void)look(views);
  project_.root = "/q/shop";
  (void)look(views);
  (void)look(views);
  const auto folders = opened_.read([](const auto& opened) { return opened; });
  ASSERT_EQ(folders.size(), 2U);
  EXPECT_THAT(folders[0], testing::StartsWith("/home/index/shop-"));
  EXPECT_NE(folders[0], folders[1]);
  EXPECT_EQ(views.folder_of(project_).string(), folders[1]);
}

TEST_F(CodeViewsTest, WhatCannotBeIndexedSaysWhyAndIsTriedAgain) {
  CodeViews views(pool_, {.folder = "/home/index"}, sources());
  broken_.update([](bool& broken) { broken = true; });
  EXPECT_EQ(look(views).error().message(), "the disk is gone");
  EXPECT_FALSE(views.history(project_, std::string(40, 'c'), {}, base::Deadline::never()).ok());
  broken_.update([](bool& broken) { broken = false; });
  EXPECT_TRUE(look(views).ok());
}

TEST(IndexKey, IsTheSameForAllWorktrees) {
  const git::Project main{.kind = git::ProjectKind::kRepository,
                          .root = "/p/shop",
                          .git_folder = "/p/shop/.git",
                          .common_folder = "/p/shop/.git"};
  git::Project linked = main;
  linked.root = "/q/shop-2";
  linked.git_folder = "/p/shop/.git/worktrees/shop-2";
  EXPECT_EQ(index_key(main), index_key(linked));
  EXPECT_THAT(index_key(main), testing::MatchesRegex("shop-[0-9a-f]{12}"));
}

TEST(IndexKey, HasNoCharacterThatAFolderCannotHave) {
  EXPECT_THAT(index_key({.root = "/p/a b\n\xff"}), testing::MatchesRegex("ab-[0-9a-f]{12}"));
  EXPECT_NE(index_key({.root = "/p/a"}), index_key({.root = "/q/a"}));
}

}  // namespace
}  // namespace clever::engine
