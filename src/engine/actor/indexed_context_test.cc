#include "engine/actor/indexed_context.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/actor/turn_request.h"
#include "support/memory_corpus.h"
#include "support/test_view.h"
#include "support/tool_workspace.h"

namespace clever::engine {
namespace {

using context::Assembly;
using context::Fragment;
using test::ToolWorkspace;
using testing::HasSubstr;
using testing::IsEmpty;

Fragment fragment(std::string path, std::string content, double score) {
  return {.path = std::move(path),
          .content = content,
          .tokens = content.size(),
          .score = score,
          .strategy = "arce",
          .strategies = {"arce", "simple-keyword"},
          .why = "defines `f`"};
}

class IndexedContextTest : public testing::Test {
 protected:
  IndexedContextTest()
      : views_(pool_, {.folder = "/none"},
               {.index = [this](const index::IndexOptions&)
                    -> base::Result<std::unique_ptr<index::CodeIndex>> {
                  if (is_broken_) return base::unavailable("the disk is gone");
                  return std::make_unique<test::TestIndex>();
                },
                .history = [](const git::Project&, const context::History::Options&,
                              const base::StopToken&)
                    -> base::Result<std::shared_ptr<const context::History>> {
                  return std::make_shared<const test::TestHistory>();
                },
                .corpus =
                    [](const std::shared_ptr<git::ObjectStore>&, const git::ObjectId&) {
                      return std::make_shared<test::MemoryCorpus>(
                          std::map<std::string, std::string>{{"a.cc", "a"}});
                    }}),
        context_({.clock = clock_,
                  .views = views_,
                  .otherwise = files_,
                  .assemble = [this](const context::Question& question,
                                     const context::Budget& budget, const context::TokenCounter&,
                                     const base::StopToken&) -> base::Result<Assembly> {
                    question_ = question;
                    budget_ = budget;
                    return answer_;
                  },
                  .counter =
                      [](std::string_view) { return std::make_shared<const test::ByteCounter>(); }},
                 {.most_tokens = 10'000}) {}

  [[nodiscard]] ContextRequest request() const {
    return {.phase = model::Phase::kExecute,
            .query = "change a.cc",
            .workspace = workspace_.workspace,
            .project = git::Project{.root = "/p"},
            .store = workspace_.store,
            .tree = workspace_.base->tree,
            .commit = std::string(40, 'c')};
  }
  AssembledContext assemble(const ContextRequest& request) {
    return context_.assemble(request, {}, base::Deadline::never()).value();
  }

  const ToolWorkspace workspace_{{{"a.cc", "int a;\n"}}};
  base::SystemClock clock_;
  bool is_broken_ = false;
  FilesContext files_;
  base::Result<Assembly> answer_ = Assembly{.fragments = {fragment("a.cc", "int a;\n", 0.5)},
                                            .preamble = "Found by search:",
                                            .skeleton = "a.cc: a",
                                            .tokens = 7,
                                            .budget = 100};
  context::Question question_;
  context::Budget budget_;
  base::ThreadPool pool_{{.name = "index", .threads = 1}};
  CodeViews views_;
  IndexedContext context_;
};

TEST_F(IndexedContextTest, ShowsWhatTheAssemblyFound) {
  const auto found = assemble(request());
  ASSERT_EQ(found.fragments.size(), 2U);
  EXPECT_EQ(found.fragments[0].tag, "context");
  EXPECT_EQ(found.fragments[0].text, "Found by search:");
  EXPECT_EQ(found.fragments[1].path, "a.cc");
  EXPECT_EQ(found.fragments[1].text, "int a;\n");
  EXPECT_EQ(found.fragments[1].why, "defines `f`");
}

TEST_F(IndexedContextTest, AsksAboutTheFilesOfTheTurn) {
  (void)assemble(request());
  EXPECT_EQ(question_.text, "change a.cc");
  EXPECT_EQ(question_.phase, model::Phase::kExecute);
  EXPECT_EQ(question_.view->path(0), "a.cc");
  EXPECT_NE(question_.history, nullptr);
}

TEST_F(IndexedContextTest, NamesTheFragmentsInItsSnapshot) {
  answer_->fragments[0].range = {.begin = 0, .end = 5, .first_line = 2, .last_line = 3};
  answer_->fragments[0].depth = syntax::Depth::kSignatures;
  const auto found = assemble(request());
  const model::ContextSnapshot& snapshot = found.snapshot;
  EXPECT_EQ(snapshot.source, "index");
  EXPECT_EQ(snapshot.tree, workspace_.base->tree.to_hex());
  EXPECT_EQ(snapshot.budget, 100);
  ASSERT_EQ(snapshot.fragments.size(), 1U);
  EXPECT_EQ(snapshot.fragments[0], (model::ShownFragment{.path = "a.cc",
                                                         .first_line = 2,
                                                         .last_line = 3,
                                                         .depth = "signatures",
                                                         .tokens = 7,
                                                         .score = 0.5,
                                                         .strategies = {"arce", "simple-keyword"},
                                                         .why = "defines `f`"}));
  EXPECT_EQ(found.fragments[1].why, "lines 2-3: signatures only: defines `f`");
}

TEST_F(IndexedContextTest, ASubplanGetsThePictureOfTheWhole) {
  ContextRequest of_subplan = request();
  of_subplan.is_subplan = true;
  const auto found = assemble(of_subplan);
  EXPECT_EQ(found.fragments[0].tag, "project_outline");
  EXPECT_EQ(found.fragments[0].text, "a.cc: a");
  EXPECT_EQ(budget_.skeleton_ratio, 0.15);
  (void)assemble(request());
  EXPECT_EQ(budget_.skeleton_ratio, 0);
}

TEST_F(IndexedContextTest, ABrokenIndexLeavesTheListOfFiles) {
  is_broken_ = true;
  const auto found = assemble(request());
  ASSERT_EQ(found.fragments.size(), 2U);
  EXPECT_EQ(found.fragments[0].text, "./: a.cc\n");
  EXPECT_THAT(found.snapshot.remark, HasSubstr("the disk is gone"));
}

TEST_F(IndexedContextTest, AnAssemblyThatFailsLeavesTheListOfFiles) {
  answer_ = base::internal_error("no strategy");
  EXPECT_EQ(assemble(request()).fragments[0].text, "./: a.cc\n");
}

TEST_F(IndexedContextTest, NothingFoundLeavesTheListOfFiles) {
  answer_ = Assembly{};
  const auto found = assemble(request());
  EXPECT_EQ(found.fragments[0].text, "./: a.cc\n");
  EXPECT_THAT(found.snapshot.remark, HasSubstr("nothing in the index"));
}

TEST_F(IndexedContextTest, WithoutFilesToSearchThereIsTheList) {
  ContextRequest nowhere = request();
  nowhere.project.reset();
  EXPECT_EQ(assemble(nowhere).fragments[0].text, "./: a.cc\n");
}

TEST_F(IndexedContextTest, NothingForNothing) {
  ContextRequest empty = request();
  empty.budget = 0;
  EXPECT_THAT(assemble(empty).fragments, IsEmpty());
  EXPECT_THAT(assemble({}).fragments, IsEmpty());
}

TEST_F(IndexedContextTest, AStopStopsIt) {
  base::StopSource stop;
  stop.request_stop();
  const auto stopped = context_.assemble(request(), stop.token(), base::Deadline::never());
  EXPECT_EQ(stopped.error().code(), base::ErrorCode::kCancelled);
}

TEST_F(IndexedContextTest, TheBestFitsFirst) {
  answer_->preamble.clear();
  answer_->fragments = {fragment("low.cc", std::string(600, 'l'), 0.2),
                        fragment("high.cc", std::string(600, 'h'), 0.9)};
  ContextRequest little = request();
  little.budget = 1'000;
  const auto found = assemble(little);
  ASSERT_EQ(found.fragments.size(), 1U);
  EXPECT_EQ(found.fragments[0].path, "high.cc");
  EXPECT_THAT(found.remark, HasSubstr("1 more"));
}

TEST_F(IndexedContextTest, OfAToolTheWorkspaceKnowsTheObjects) {
  ContextRequest of_tool = request();
  of_tool.store = nullptr;
  EXPECT_EQ(assemble(of_tool).snapshot.source, "index");
}

TEST_F(IndexedContextTest, PreparingNeedsFiles) {
  context_.prepare({});
  context_.prepare(request());
  EXPECT_TRUE(context_.searches());
  EXPECT_EQ(assemble(request()).snapshot.source, "index");
}

TEST_F(IndexedContextTest, TheBudgetIsWhatTheWindowHasRoomFor) {
  const auto room = [&](std::int64_t window, std::int64_t answer, std::size_t wanted) {
    ContextRequest asked = request();
    asked.terms.context_window = window;
    asked.terms.max_output = answer;
    asked.tokens = wanted;
    return context_.budget_of(asked).room();
  };
  EXPECT_EQ(room(200'000, 8'000, 0), 10'000U);
  EXPECT_EQ(room(200'000, 8'000, 500), 500U);
  EXPECT_EQ(room(32'000, 8'000, 0), 3'000U);
  EXPECT_EQ(room(8'000, 8'000, 0), 0U);
  EXPECT_EQ(room(-1, -1, 0), 0U);
}

}  // namespace
}  // namespace clever::engine
