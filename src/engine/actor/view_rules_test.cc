#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/actor/code_views.h"
#include "support/memory_corpus.h"
#include "support/test_view.h"

namespace clever::engine {
namespace {

using testing::ElementsAre;

std::vector<std::string> seen(const ViewRules& rules) {
  const auto corpus = seen_through(
      rules, std::make_shared<test::MemoryCorpus>(std::map<std::string, std::string>{
                 {"a.md", ""}, {"docs/b.md", ""}, {"src/c.cc", ""}, {"src/d.md", ""}}));
  std::vector<std::string> paths;
  const auto files = corpus->files({}).value();
  for (const index::CorpusFile& file : files) paths.push_back(file.path);
  return paths;
}

TEST(ViewRules, WithoutPatternsAllIsSeen) { EXPECT_EQ(seen({}).size(), 4U); }

TEST(ViewRules, OnlyWhatIsIncludedAndNotExcluded) {
  EXPECT_THAT(seen({.include = {"src/"}}), ElementsAre("src/c.cc", "src/d.md"));
  EXPECT_THAT(seen({.exclude = {"*.md"}}), ElementsAre("src/c.cc"));
  EXPECT_THAT(seen({.include = {"*.md"}, .exclude = {"/src/"}}), ElementsAre("a.md", "docs/b.md"));
}

TEST(ViewRules, WhatIsLeftInIsReadAsItIs) {
  const auto corpus = seen_through(
      {.include = {"a"}},
      std::make_shared<test::MemoryCorpus>(std::map<std::string, std::string>{{"a", "text"}}));
  EXPECT_EQ(corpus->read({.path = "a"}, 10).value(), "text");
}

TEST(ViewRules, AFileThatIsTooLargeIsNotRead) {
  const auto view = limited({.largest_file = 4},
                            std::make_shared<test::TestView>(
                                std::map<std::string, std::string>{{"a", "1234"}, {"b", "12345"}}));
  EXPECT_EQ(view->content(0).value(), "1234");
  EXPECT_EQ(view->content(1).error().code(), base::ErrorCode::kResourceExhausted);
  EXPECT_THAT(view->content(1).error().message(), testing::HasSubstr("b is not read"));
}

TEST(ViewRules, NoMoreThanTheTotalIsRead) {
  const auto view = limited({.largest_total = 6},
                            std::make_shared<test::TestView>(
                                std::map<std::string, std::string>{{"a", "1234"}, {"b", "1234"}}));
  EXPECT_TRUE(view->content(0).ok());
  EXPECT_FALSE(view->content(1).ok());
  EXPECT_FALSE(view->content(0).ok());
}

TEST(ViewRules, AllElseIsAsItWas) {
  const auto plain = std::make_shared<test::TestView>(
      std::map<std::string, std::string>{{"a", "def x"}, {"b", "y"}});
  plain->connect("a", "b", 1);
  plain->bring_near("a", {}, 1);
  const auto view = limited({}, plain);
  EXPECT_EQ(view->size(), 2U);
  EXPECT_EQ(view->path(1), "b");
  EXPECT_EQ(view->find("b"), 1U);
  EXPECT_EQ(view->kind(0), index::FileKind::kSource);
  EXPECT_EQ(view->language(0), syntax::Language::kPython);
  EXPECT_EQ(view->blob(0), plain->blob(0));
  EXPECT_EQ(view->stats().files, 2U);
  EXPECT_EQ(view->search("y", 9), plain->search("y", 9, {}));
  EXPECT_EQ(view->search_plainly("y", 9), plain->search_plainly("y", 9));
  EXPECT_EQ(view->grep("x", 9), plain->grep("x", 9, {}));
  EXPECT_EQ(view->definitions("x", 9).size(), 1U);
  EXPECT_EQ(view->uses("x", 9).size(), 1U);
  EXPECT_EQ(view->edges(0, 9).size(), 1U);
  EXPECT_EQ(view->nearest({}, 9).size(), 1U);
  EXPECT_TRUE(view->syntax(0).ok());
}

}  // namespace
}  // namespace clever::engine
