#include "context/strategies/strategies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "context/strategies/internal/tally.h"
#include "index/local_embedder.h"
#include "support/test_view.h"

namespace clever::context {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

std::shared_ptr<test::TestView> small_project() {
  return std::make_shared<test::TestView>(std::map<std::string, std::string>{
      {"README.md", "A parser of lines.\n"},
      {"src/parser.py", "import util\ndef parse_line(text):\n  return util.trim(text)\n"},
      {"src/util.py", "def trim(text):\n  raise Error('no such file or so')\n"},
      {"test/test_parser.py", "def test_lines():\n  parse_line('a')\n"},
  });
}

Question question_of(std::string text, std::shared_ptr<const index::View> view = small_project()) {
  return {.text = std::move(text), .view = std::move(view)};
}

std::vector<Candidate> found_by(const std::shared_ptr<Strategy>& strategy,
                                const Question& question) {
  auto proposed = strategy->propose(question, 1000, {}, base::Deadline::never());
  EXPECT_TRUE(proposed.ok());
  return std::move(proposed).value();
}

std::vector<std::string> distinct_paths(const std::vector<Candidate>& candidates) {
  std::vector<std::string> paths;
  for (const auto& candidate : candidates) {
    if (std::ranges::find(paths, candidate.path) == paths.end()) paths.push_back(candidate.path);
  }
  return paths;
}

TEST(SimpleKeyword, FindsFilesByTheirWords) {
  const auto found = found_by(simple_keyword(), question_of("trim"));
  EXPECT_THAT(distinct_paths(found), ElementsAre("src/parser.py", "src/util.py"));
  EXPECT_DOUBLE_EQ(found.front().relevance, 1);
}

TEST(SimpleKeyword, PrefersWhereAQuotedTextStands) {
  const auto found = found_by(simple_keyword(), question_of("parser says \"no such file\""));
  EXPECT_EQ(found.front().path, "src/util.py");
  EXPECT_THAT(found.front().why, HasSubstr("no such file"));
}

TEST(SimpleKeyword, TakesANamedPathAtItsWord) {
  EXPECT_EQ(found_by(simple_keyword(), question_of("look at b/src/util.py")).front().path,
            "src/util.py");
}

TEST(SimpleKeyword, HasNothingToSayToNothing) {
  EXPECT_EQ(simple_keyword()->confidence(question_of("")), 0);
  EXPECT_EQ(simple_keyword()->confidence(question_of("words", nullptr)), 0);
  EXPECT_THAT(found_by(simple_keyword(), question_of("words", nullptr)), IsEmpty());
}

TEST(SemanticEmbedding, ProposesPiecesThatAreNear) {
  auto view = small_project();
  view->bring_near("src/util.py", {.begin = 0, .end = 20}, 0.5);
  view->bring_near("src/parser.py", {.begin = 3, .end = 20}, 0.25);
  view->bring_near("README.md", {.begin = 0, .end = 5}, -0.5);
  index::LocalEmbedder embedder;
  const auto found = found_by(semantic_embedding(&embedder), question_of("cut blanks", view));
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].path, "src/util.py");
  EXPECT_EQ(found[0].range.end, 20U);
  EXPECT_DOUBLE_EQ(found[0].relevance, 1);
  EXPECT_DOUBLE_EQ(found[1].relevance, 0.5);
}

TEST(SemanticEmbedding, KeepsAFewPiecesOfEachFile) {
  auto view = small_project();
  for (std::uint32_t i = 0; i < 9; ++i)
    view->bring_near("src/util.py", {.begin = i, .end = i + 1}, 1);
  index::LocalEmbedder embedder;
  EXPECT_EQ(found_by(semantic_embedding(&embedder), question_of("cut", view)).size(), 3U);
}

TEST(SemanticEmbedding, IsSilentWithoutAnEmbedder) {
  EXPECT_EQ(semantic_embedding(nullptr)->confidence(question_of("cut")), 0);
  EXPECT_THAT(found_by(semantic_embedding(nullptr), question_of("cut")), IsEmpty());
}

class BrokenEmbedder final : public index::Embedder {
 public:
  explicit BrokenEmbedder(bool fails) : fails_(fails) {}
  [[nodiscard]] std::string name() const override { return "broken"; }
  [[nodiscard]] std::size_t dimensions() const override { return 1; }
  [[nodiscard]] base::Result<std::vector<index::Vector>> embed(
      const std::vector<std::string_view>& /*texts*/, const base::StopToken& /*stop*/,
      base::Deadline /*deadline*/) override {
    if (fails_) return base::unavailable("no network");
    return std::vector<index::Vector>{};
  }

 private:
  const bool fails_;
};

TEST(SemanticEmbedding, HandsOnWhatWentWrong) {
  BrokenEmbedder failing(true);
  BrokenEmbedder empty(false);
  for (auto* embedder : {&failing, &empty}) {
    const auto found =
        semantic_embedding(embedder)->propose(question_of("cut"), 100, {}, base::Deadline::never());
    ASSERT_FALSE(found.ok());
    EXPECT_EQ(found.error().code(), base::ErrorCode::kUnavailable);
  }
}

TEST(BreadthDepthNavigator, FindsDefinitionsAndTheirNeighbours) {
  auto view = small_project();
  view->connect("src/parser.py", "src/util.py", 0.9);
  view->connect("src/util.py", "README.md", 0.5);
  const auto found = found_by(breadth_depth_navigator(), question_of("parse_line fails", view));
  EXPECT_THAT(distinct_paths(found), ElementsAre("src/parser.py", "src/util.py", "README.md"));
  EXPECT_EQ(found[0].range, syntax::Range{});
  EXPECT_THAT(found[0].why, HasSubstr("parse_line"));
  // The definition itself, behind its file.
  EXPECT_EQ(found[1].path, "src/parser.py");
  EXPECT_EQ(found[1].range.first_line, 2U);
}

TEST(BreadthDepthNavigator, FindsWhatHoldsALineOfATrace) {
  const auto found = found_by(breadth_depth_navigator(), question_of("fails at src/util.py:2"));
  ASSERT_GE(found.size(), 2U);
  EXPECT_EQ(found[1].path, "src/util.py");
  EXPECT_THAT(found[1].why, HasSubstr("line 2 lies in `trim`"));
}

TEST(BreadthDepthNavigator, TakesPlainWordsForNamesToo) {
  EXPECT_EQ(found_by(breadth_depth_navigator(), question_of("how does trim work")).front().path,
            "src/util.py");
}

TEST(BreadthDepthNavigator, ShowsTheFocusAloneWithoutATask) {
  auto view = small_project();
  view->connect("src/parser.py", "src/util.py", 0.9);
  Question question = question_of("", view);
  question.focus = {"src/parser.py"};
  EXPECT_EQ(breadth_depth_navigator()->confidence(question), 1);
  EXPECT_THAT(distinct_paths(found_by(breadth_depth_navigator(), question)),
              ElementsAre("src/parser.py"));
}

TEST(BreadthDepthNavigator, IsSurerOfNamesThanOfWords) {
  EXPECT_GT(breadth_depth_navigator()->confidence(question_of("parse_line")),
            breadth_depth_navigator()->confidence(question_of("lines")));
  EXPECT_EQ(breadth_depth_navigator()->confidence(question_of("")), 0);
  EXPECT_EQ(breadth_depth_navigator()->confidence(question_of("x", nullptr)), 0);
  EXPECT_THAT(found_by(breadth_depth_navigator(), question_of("x", nullptr)), IsEmpty());
}

TEST(Arce, PutsTheThreeTogether) {
  auto view = small_project();
  view->bring_near("README.md", {.begin = 0, .end = 8}, 1);
  index::LocalEmbedder embedder;
  const auto found = found_by(arce(&embedder), question_of("parse_line text", view));
  EXPECT_EQ(found.front().path, "src/parser.py");
  EXPECT_THAT(distinct_paths(found), testing::Contains("README.md"));
}

TEST(Arce, LivesWithoutOneOfThem) {
  BrokenEmbedder failing(true);
  EXPECT_EQ(found_by(arce(&failing), question_of("parse_line")).front().path, "src/parser.py");
  EXPECT_LT(arce(nullptr)->confidence(question_of("parse_line")),
            arce(&failing)->confidence(question_of("parse_line")));
}

std::shared_ptr<test::TestHistory> small_history() {
  auto history = std::make_shared<test::TestHistory>();
  history->related_paths = {{"src/util.py", 4, "trim blanks", "4f2a91c"},
                            {"gone.py", 3, "old", "aaaaaaa"},
                            {"src/parser.py", 2, "trim blanks", "4f2a91c"}};
  history->together_paths = {{"README.md", 1, "", ""}};
  return history;
}

TEST(TemporalArchaeology, FindsWhatSuchCommitsChanged) {
  Question question = question_of("trim");
  question.history = small_history();
  const auto found = found_by(temporal_archaeology(), question);
  EXPECT_THAT(distinct_paths(found),
              ElementsAre("src/util.py", "src/parser.py", "history/related"));
  EXPECT_THAT(found[0].why, HasSubstr("4f2a91c trim blanks"));
  EXPECT_EQ(found[2].text, "4f2a91c trim blanks\naaaaaaa old\n");
}

TEST(TemporalArchaeology, LooksAtWhatChangedWithTheFocus) {
  Question question = question_of("trim");
  question.history = small_history();
  question.focus = {"src/util.py"};
  EXPECT_THAT(distinct_paths(found_by(temporal_archaeology(), question)),
              testing::Contains("README.md"));
}

TEST(TemporalArchaeology, IsSilentWithoutHistory) {
  Question question = question_of("trim");
  EXPECT_EQ(temporal_archaeology()->confidence(question), 0);
  EXPECT_THAT(found_by(temporal_archaeology(), question), IsEmpty());
  auto history = small_history();
  history->count = 0;
  question.history = history;
  EXPECT_EQ(temporal_archaeology()->confidence(question), 0);
}

TEST(PlanDecisionContext, BringsDecisionsAboutTheSame) {
  Question question = question_of("how do we trim lines");
  question.decisions = {
      {.id = "1", .question = "Which database?", .choice = "SQLite", .paths = {"README.md"}},
      {.id = "2",
       .question = "How to trim?",
       .choice = "by hand",
       .paths = {"src/util.py", "gone"}},
  };
  const auto found = found_by(plan_decision_context(), question);
  EXPECT_THAT(distinct_paths(found), ElementsAre("decision/2", "src/util.py"));
  EXPECT_THAT(found[0].text, HasSubstr("by hand"));
}

TEST(PlanDecisionContext, RemembersThePlansOwnDecisions) {
  Question question = question_of("something else");
  question.decisions = {
      {.id = "1", .question = "Which database?", .choice = "SQLite", .own = true}};
  EXPECT_THAT(distinct_paths(found_by(plan_decision_context(), question)),
              ElementsAre("decision/1"));
  question.decisions.front().own = false;
  EXPECT_THAT(found_by(plan_decision_context(), question), IsEmpty());
}

TEST(PlanDecisionContext, IsSilentWithoutDecisions) {
  EXPECT_EQ(plan_decision_context()->confidence(question_of("x")), 0);
}

TEST(Strategies, HaveTheDomainsNamesAndQualities) {
  std::vector<std::pair<std::string, double>> all;
  for (const auto& strategy : default_strategies(nullptr)) {
    all.emplace_back(strategy->name(), strategy->quality());
  }
  EXPECT_THAT(all, UnorderedElementsAre(testing::Pair("simple-keyword", .30),
                                        testing::Pair("semantic-embedding", .60),
                                        testing::Pair("breadth-depth-navigator", .85),
                                        testing::Pair("arce", .95),
                                        testing::Pair("temporal-archaeology", .50),
                                        testing::Pair("plan-decision-context", .70)));
}

TEST(Strategies, EndEarlyWhenStopped) {
  base::StopSource stop;
  stop.request_stop();
  Question question = question_of("parse_line in src/util.py:1");
  question.decisions = {{.id = "1", .question = "parse_line?"}};
  for (const auto& strategy : {breadth_depth_navigator(), plan_decision_context()}) {
    const auto found = strategy->propose(question, 100, stop.token(), base::Deadline::never());
    ASSERT_TRUE(found.ok());
    EXPECT_THAT(*found, IsEmpty());
  }
}

TEST(FilesMeant, AreThoseThatEndLikeThePath) {
  const auto view = small_project();
  const auto meant = [&](std::string_view path) {
    std::vector<std::string> paths;
    for (const auto file : internal::files_meant(*view, path, 4)) paths.push_back(view->path(file));
    return paths;
  };
  EXPECT_THAT(meant("src/util.py"), ElementsAre("src/util.py"));
  EXPECT_THAT(meant("./src/util.py"), ElementsAre("src/util.py"));
  EXPECT_THAT(meant("/home/ada/src/util.py"), ElementsAre("src/util.py"));
  EXPECT_THAT(meant("util.py"), ElementsAre("src/util.py"));
  EXPECT_THAT(meant("nothing.py"), IsEmpty());
}

}  // namespace
}  // namespace clever::context
