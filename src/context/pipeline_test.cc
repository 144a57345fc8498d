#include "context/pipeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

#include "base/clock.h"
#include "base/random.h"
#include "context/parts/parts.h"
#include "context/strategies/strategies.h"
#include "git/object_store.h"
#include "git/project.h"
#include "index/local_embedder.h"
#include "support/fixed_strategy.h"
#include "support/repository.h"
#include "support/test_view.h"

namespace clever::context {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Budget, IsWhatTheOthersLeave) {
  const Budget budget{.window = 10'000, .response = 2000, .tools = 500, .system = 500};
  EXPECT_EQ(budget.room(), 7000U);
  EXPECT_EQ(budget.skeleton(), 1050U);
  EXPECT_EQ(budget.fragments(), 5950U);
}

TEST(Budget, IsNeverBelowNothing) {
  EXPECT_EQ((Budget{.window = 10, .response = 20}).room(), 0U);
  EXPECT_EQ((Budget{.window = 100, .skeleton_ratio = 7}).fragments(), 0U);
  EXPECT_EQ((Budget{.window = 100, .skeleton_ratio = -1}).fragments(), 100U);
}

TEST(Rendered, SaysWhatAndHowDeep) {
  EXPECT_EQ(rendered({.path = "a.py", .content = "x\n"}), "## a.py\nx\n\n");
  EXPECT_EQ(rendered({.path = "a.py",
                      .range = {.begin = 1, .end = 2, .first_line = 3, .last_line = 4},
                      .depth = syntax::Depth::kMembers,
                      .content = "x"}),
            "## a.py:3-4 (members)\nx\n\n");
}

class PipelineTest : public testing::Test {
 protected:
  [[nodiscard]] Assembly assemble(const Question& question, std::size_t window,
                                  std::vector<std::shared_ptr<Strategy>> strategies) {
    const Assembler assembler(*executor_, std::move(strategies), default_parts());
    auto assembly = assembler.assemble(question, {.window = window}, counter_);
    EXPECT_TRUE(assembly.ok());
    return std::move(assembly).value();
  }

  base::SystemClock clock_;
  base::SeededRandom random_{3};
  index::LocalEmbedder embedder_;
  const test::QuarterCounter counter_;
  const std::unique_ptr<ParallelStrategyExecutor> executor_ =
      ParallelStrategyExecutor::make(clock_, random_, {.deadline = std::chrono::minutes(5)});
};

std::shared_ptr<test::TestView> growing_files() {
  std::map<std::string, std::string> files;
  for (int i = 0; i < 20; ++i) {
    std::string content;
    for (int j = 0; j <= i; ++j) {
      content += "def work_" + std::to_string(i) + "_" + std::to_string(j) +
                 "(first, second):\n  return parse(first) + parse(second)\n\n";
    }
    files["src/part" + std::to_string(i) + ".py"] = content;
  }
  return std::make_shared<test::TestView>(std::move(files));
}

TEST_F(PipelineTest, NeverPassesTheBudget) {
  const Question question{.text = "parse work_3_1 in src/part7.py", .view = growing_files()};
  for (std::size_t window = 0; window < 6000; window += 211) {
    const auto assembly = assemble(question, window, default_strategies(&embedder_));
    EXPECT_EQ(assembly.tokens, counter_.count(page_of(assembly)));
    EXPECT_LE(assembly.tokens, assembly.budget);
    EXPECT_LE(assembly.tokens + counter_.count(assembly.skeleton), window);
  }
}

TEST_F(PipelineTest, GivesNothingForNothing) {
  const auto assembly =
      assemble({.text = "parse", .view = growing_files()}, 0, default_strategies(&embedder_));
  EXPECT_THAT(assembly.fragments, IsEmpty());
  EXPECT_EQ(assembly.preamble + assembly.skeleton, "");
  EXPECT_THAT(assembly.outcomes, IsEmpty());
}

TEST_F(PipelineTest, ShowsFocusAndSkeletonForAnEmptyTask) {
  const auto assembly = assemble({.focus = {"src/part3.py"}, .view = growing_files()}, 4000,
                                 default_strategies(&embedder_));
  ASSERT_EQ(assembly.fragments.size(), 1U);
  EXPECT_EQ(assembly.fragments[0].path, "src/part3.py");
  EXPECT_THAT(assembly.skeleton, HasSubstr("src/ 20"));
}

TEST_F(PipelineTest, HasASkeletonEvenWithoutAQuestion) {
  const auto assembly = assemble({.view = growing_files()}, 4000, default_strategies(&embedder_));
  EXPECT_THAT(assembly.fragments, IsEmpty());
  EXPECT_EQ(assembly.tokens, 0U);
  EXPECT_NE(assembly.skeleton, "");
}

TEST_F(PipelineTest, IsTheSameWhateverTheOrderOfStrategies) {
  const Question question{.text = "parse work_3_1 in src/part7.py", .view = growing_files()};
  auto strategies = default_strategies(&embedder_);
  const auto expected = assemble(question, 3000, strategies);
  ASSERT_FALSE(expected.fragments.empty());
  base::SeededRandom random(5);
  for (int round = 0; round < 10; ++round) {
    random.shuffle(strategies);
    const auto assembly = assemble(question, 3000, strategies);
    EXPECT_EQ(assembly.fragments, expected.fragments);
    EXPECT_EQ(page_of(assembly), page_of(expected));
  }
}

TEST_F(PipelineTest, ShowsAShortTaskThatNamesItsFileThatAndWhatIsNearlyAsGood) {
  const auto view = growing_files();
  const auto strategies = default_strategies(&embedder_);
  const std::string task = "fix a typo in src/part7.py";
  const auto few = assemble({.text = task, .view = view}, 20'000, strategies);
  const auto many =
      assemble({.text = task + std::string(400, ' '), .view = view}, 20'000, strategies);
  ASSERT_FALSE(few.fragments.empty());
  EXPECT_LT(few.fragments.size(), many.fragments.size());
  const auto best = std::ranges::max_element(few.fragments, {}, &Fragment::score);
  EXPECT_EQ(best->path, "src/part7.py");
  for (const Fragment& fragment : few.fragments) EXPECT_GE(fragment.score, best->score * 0.6);
}

TEST_F(PipelineTest, BoundsWhatStrategiesClaim) {
  std::vector<Selected> selected = {
      {.strategy = std::make_shared<test::FixedStrategy>("liar"), .weight = 1}};
  std::vector<StrategyOutcome> outcomes(1);
  outcomes[0].candidates = {{.path = "a", .relevance = 1e9},
                            {.path = "b", .relevance = -1},
                            {.path = "c", .relevance = std::nan("")}};
  const auto proposals = proposals_of(selected, outcomes);
  ASSERT_EQ(proposals.size(), 3U);
  EXPECT_EQ(proposals[0].candidate.relevance, 1);
  EXPECT_EQ(proposals[1].candidate.relevance, 0);
  EXPECT_EQ(proposals[2].candidate.relevance, 0);
  EXPECT_EQ(proposals[2].rank, 2U);
}

TEST_F(PipelineTest, ReadsNoMoreThanTheBeginningOfAQuestion) {
  std::string text = "parse " + std::string(std::size_t{1} << 20U, 'x');
  const auto assembly = assemble({.text = text + " work_3_1", .view = growing_files()}, 2000,
                                 {breadth_depth_navigator(), simple_keyword()});
  EXPECT_FALSE(assembly.fragments.empty());
  for (const auto& fragment : assembly.fragments)
    EXPECT_THAT(fragment.why, Not(HasSubstr("work_3_1")));
}

TEST_F(PipelineTest, IsCancelledByAStop) {
  base::StopSource stop;
  stop.request_stop();
  const Assembler assembler(*executor_, default_strategies(&embedder_), default_parts());
  const auto assembly = assembler.assemble({.text = "parse", .view = growing_files()},
                                           {.window = 1000}, counter_, stop.token());
  ASSERT_FALSE(assembly.ok());
  EXPECT_EQ(assembly.error().code(), base::ErrorCode::kCancelled);
}

/// A replaced packer that exceeds the budget.
class CarelessPacker final : public Packer {
 public:
  [[nodiscard]] std::vector<Fragment> pack(std::vector<Scored> scored, std::size_t /*tokens*/,
                                           std::size_t& left_out) const override {
    std::size_t unused = 0;
    left_out = 0;
    return greedy_packer()->pack(std::move(scored), 1'000'000, unused);
  }
};

TEST_F(PipelineTest, KeepsToTheBudgetWhateverThePackerDoes) {
  PipelineParts parts = default_parts();
  parts.packer = std::make_shared<CarelessPacker>();
  const Assembler assembler(*executor_, {simple_keyword()}, parts);
  const auto assembly =
      assembler.assemble({.text = "parse", .view = growing_files()}, {.window = 800}, counter_);
  ASSERT_TRUE(assembly.ok());
  EXPECT_LE(assembly->tokens, assembly->budget);
  EXPECT_FALSE(assembly->fragments.empty());
  EXPECT_GT(assembly->left_out, 0U);
}

TEST_F(PipelineTest, RanksWithoutReading) {
  auto view = growing_files();
  for (int i = 0; i < 20; ++i) view->lose("src/part" + std::to_string(i) + ".py");
  const Assembler assembler(*executor_, {simple_keyword()}, default_parts());
  const auto ranked = assembler.rank({.text = "parse", .view = view});
  EXPECT_EQ(ranked.size(), 20U);
  EXPECT_THAT(ranked.front().resolved.depths, IsEmpty());
}

TEST_F(PipelineTest, FindsItsWayInARealRepository) {
  const test::Repository repository;
  repository.write("src/parser.py",
                   "from util import trim\n\n\ndef parse_line(text):\n    return trim(text)\n");
  repository.write("src/util.py", "def trim(text):\n    return text.strip()\n");
  repository.write("docs/guide.md", "# Guide\n\nHow to install.\n");
  repository.commit("add a parser of lines");
  repository.write("src/util.py", "def trim(text):\n    return text.strip(' ')\n");
  repository.commit("trim blanks only");
  const auto found = git::Project::find(repository.path()).value();
  const auto store = git::ObjectStore::open(
                         {.folder = repository.beside("store"), .borrowed = found.object_folders})
                         .value();
  const auto index =
      index::CodeIndex::open({.folder = repository.beside("index"), .embedder = &embedder_})
          .value();
  Question question{.text = "parse_line keeps blanks"};
  question.view =
      index
          ->view(index::tree_corpus(store, git::ObjectId::from_hex(repository.head_tree()).value()))
          .value();
  question.history = History::read(found, {}).value();

  const auto assembly = assemble(question, 2000, default_strategies(&embedder_));
  std::vector<std::string> paths;
  for (const auto& fragment : assembly.fragments) paths.push_back(fragment.path);
  EXPECT_THAT(paths, Contains("src/parser.py"));
  EXPECT_THAT(paths, Contains("src/util.py"));
  EXPECT_THAT(page_of(assembly), HasSubstr("def parse_line(text):"));
  EXPECT_THAT(assembly.preamble, HasSubstr("src/parser.py (full; "));
  EXPECT_LE(assembly.tokens, assembly.budget);
}

}  // namespace
}  // namespace clever::context
