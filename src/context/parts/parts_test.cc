#include "context/parts/parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "context/parts/internal/lines.h"
#include "context/parts/internal/nearness.h"
#include "context/parts/internal/opinions.h"
#include "context/parts/internal/packing.h"
#include "context/strategies/strategies.h"
#include "support/fixed_strategy.h"
#include "support/test_view.h"

namespace clever::context {
namespace {

using syntax::Depth;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const test::QuarterCounter kCounter;

std::shared_ptr<test::TestView> few_files() {
  return std::make_shared<test::TestView>(std::map<std::string, std::string>{
      {"a/plan.py", "def start():\n  pass\n\ndef stop():\n  pass\n"},
      {"a/copy.py", "def start():\n  pass\n\ndef stop():\n  pass\n"},
      {"b/other.py", "def other():\n  pass\n"},
      {"test/test_plan.py", "def test_start():\n  start()\n"},
  });
}

Proposal proposal(std::string path, double relevance, std::string strategy = "s",
                  std::size_t rank = 0, Evidence evidence = Evidence::kContents) {
  return {.candidate = {.path = std::move(path), .relevance = relevance, .why = strategy},
          .strategy = strategy,
          .quality = 0.5,
          .weight = 0.5,
          .evidence = evidence,
          .authority = 0.5,
          .rank = rank};
}

Proposal piece(std::string path, std::uint32_t begin, std::uint32_t end, double relevance = 0.5) {
  Proposal one = proposal(std::move(path), relevance, "pieces", begin);
  one.candidate.range = {.begin = begin, .end = end, .first_line = 1, .last_line = 2};
  return one;
}

std::shared_ptr<Strategy> fixed(std::string name, double quality, double confidence) {
  return std::make_shared<test::FixedStrategy>(std::move(name), quality, confidence);
}

std::vector<std::string> names_of(const std::vector<Selected>& selected) {
  std::vector<std::string> names;
  for (const auto& one : selected) names.emplace_back(one.strategy->name());
  return names;
}

TEST(WeighingSelector, OrdersByConfidenceTimesQuality) {
  const auto selected = weighing_selector()->select(
      {.text = "x"},
      {fixed("b", .5, .5), fixed("a", .5, .5), fixed("c", .9, .9), fixed("d", .9, 0)});
  EXPECT_THAT(names_of(selected), ElementsAre("c", "a", "b"));
  EXPECT_DOUBLE_EQ(selected[0].weight, .81);
}

TEST(WeighingSelector, FallsBackToKeywordSearch) {
  const std::vector<std::shared_ptr<Strategy>> strategies = {fixed("a", 1, 0),
                                                             fixed("simple-keyword", .3, 0)};
  EXPECT_THAT(names_of(weighing_selector()->select({.text = "x"}, strategies)),
              ElementsAre("simple-keyword"));
  EXPECT_THAT(weighing_selector()->select({}, strategies), IsEmpty());
}

TEST(WeighingSelector, DistrustsNumbersThatAreInvalid) {
  EXPECT_THAT(weighing_selector()->select({.text = "x"}, {fixed("a", std::nan(""), 1)}), IsEmpty());
  EXPECT_DOUBLE_EQ(weighing_selector()->select({.text = "x"}, {fixed("a", 7, 9)})[0].weight, 1);
}

TEST(KeywordSelector, TakesNothingElse) {
  EXPECT_THAT(names_of(keyword_selector()->select(
                  {.text = "x"}, {fixed("a", 1, 1), fixed("simple-keyword", .3, 0)})),
              ElementsAre("simple-keyword"));
}

TEST(Allocator, SharesByWeight) {
  EXPECT_THAT(proportional_allocator()->allocate(
                  {{.strategy = {}, .weight = 3}, {.strategy = {}, .weight = 1}}, 1001),
              ElementsAre(750, 250));
  EXPECT_THAT(proportional_allocator()->allocate({{.strategy = {}, .weight = 0}}, 10),
              ElementsAre(0));
  EXPECT_THAT(proportional_allocator()->allocate({}, 10), IsEmpty());
}

TEST(Allocator, SharesEqually) {
  EXPECT_THAT(equal_allocator()->allocate(
                  {{.strategy = {}, .weight = 3}, {.strategy = {}, .weight = 1}}, 11),
              ElementsAre(5, 5));
  EXPECT_THAT(equal_allocator()->allocate({}, 11), IsEmpty());
}

TEST(Allocator, NeverGivesOutMoreThanThereIs) {
  base::SeededRandom random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<Selected> selected(random.below(8));
    for (auto& one : selected) one.weight = random.uniform();
    const std::size_t tokens = random.below(10'000);
    std::size_t sum = 0;
    for (const auto share : proportional_allocator()->allocate(selected, tokens)) sum += share;
    EXPECT_LE(sum, tokens);
  }
}

TEST(Opinions, OfOneKindSpeakWithOneVoice) {
  // Three readers of the same words, and the history, which disagrees.
  const auto opinions = internal::opinions_of(
      {proposal("a", 1, "x"), proposal("a", 1, "y"), proposal("a", 1, "z"),
       proposal("b", 1, "h", 0, Evidence::kHistory), proposal("c", .6, "x", 1),
       proposal("c", .6, "y", 1), proposal("c", .6, "z", 1),
       proposal("c", .6, "h", 1, Evidence::kHistory)});
  EXPECT_DOUBLE_EQ(opinions.at("a").relevance, opinions.at("b").relevance);
  EXPECT_GT(opinions.at("c").together(), opinions.at("a").together());
}

TEST(Opinions, OfUnknownKindsAreTheirOwn) {
  const auto opinions = internal::opinions_of({proposal("a", 1, "x", 0, Evidence::kOther),
                                               proposal("b", .8, "x", 1, Evidence::kOther),
                                               proposal("b", 1, "y", 0, Evidence::kOther)});
  EXPECT_GT(opinions.at("b").relevance, opinions.at("a").relevance);
}

TEST(Opinions, CountPathsNotPieces) {
  auto second = proposal("b", .9, "x", 3);
  const auto opinions = internal::opinions_of(
      {piece("a", 0, 1, 1), piece("a", 1, 2, 1), piece("a", 2, 3, 1), second});
  EXPECT_DOUBLE_EQ(opinions.at("a").quality, 1);
  EXPECT_GT(opinions.at("b").quality, .9);
}

TEST(Deduplicator, JoinsWhatOverlaps) {
  const auto merged = content_deduplicator()->deduplicate(
      {.view = few_files()},
      {piece("b/other.py", 0, 10), piece("b/other.py", 5, 15), piece("b/other.py", 15, 20)});
  ASSERT_EQ(merged.size(), 2U);
  EXPECT_EQ(merged[0].candidate.range.end, 15U);
  EXPECT_EQ(merged[0].from.size(), 2U);
}

TEST(Deduplicator, ShowsTheSameContentOnce) {
  const auto merged = content_deduplicator()->deduplicate(
      {.view = few_files()}, {proposal("a/copy.py", .5, "s", 1), proposal("a/plan.py", 1)});
  ASSERT_EQ(merged.size(), 1U);
  EXPECT_EQ(merged[0].candidate.path, "a/plan.py");
  EXPECT_THAT(merged[0].candidate.why, HasSubstr("the same as a/copy.py"));
}

TEST(Deduplicator, ShowsTheSameTextOnce) {
  auto one = proposal("decision/1", 1);
  auto two = proposal("decision/2", .5, "t", 1);
  one.candidate.text = two.candidate.text = "use SQLite";
  EXPECT_EQ(content_deduplicator()->deduplicate({}, {one, two}).size(), 1U);
}

TEST(Deduplicator, KeepsTheDeepestAndTheStrongest) {
  auto shallow = proposal("b/other.py", .3, "x");
  shallow.candidate.depth = Depth::kMembers;
  auto deep = proposal("b/other.py", .9, "y");
  const auto merged = content_deduplicator()->deduplicate({.view = few_files()}, {shallow, deep});
  ASSERT_EQ(merged.size(), 1U);
  EXPECT_EQ(merged[0].candidate.depth, Depth::kFull);
  EXPECT_EQ(merged[0].candidate.why, "y");
  EXPECT_EQ(merged[0].from.front().strategy, "y");
}

TEST(Deduplicator, DoesNotCareWhoCameFirst) {
  std::vector<Proposal> proposals = {proposal("a/plan.py", 1, "x"), proposal("a/copy.py", 1, "y"),
                                     piece("a/plan.py", 0, 9), piece("b/other.py", 0, 9),
                                     proposal("b/other.py", .4, "x", 1)};
  const auto shown = [](const std::vector<Merged>& merged) {
    std::vector<std::pair<std::string, std::uint32_t>> list;
    for (const auto& one : merged) list.emplace_back(one.candidate.path, one.candidate.range.end);
    return list;
  };
  const Question question{.view = few_files()};
  const auto expected = shown(content_deduplicator()->deduplicate(question, proposals));
  base::SeededRandom random(1);
  for (int round = 0; round < 50; ++round) {
    random.shuffle(proposals);
    EXPECT_EQ(shown(content_deduplicator()->deduplicate(question, proposals)), expected);
  }
}

Merged merged_of(Proposal proposal) {
  Merged merged{.candidate = proposal.candidate};
  merged.from.push_back(std::move(proposal));
  return merged;
}

std::vector<Depth> depths_of(const Resolved& resolved) {
  std::vector<Depth> depths;
  for (const auto& shown : resolved.depths) depths.push_back(shown.depth);
  return depths;
}

TEST(DepthResolver, ShowsAFileAtEveryDepthDeepestFirst) {
  auto view = std::make_shared<test::TestView>(std::map<std::string, std::string>{
      {"a.py",
       "def start(one, two, three):\n" + std::string(400, '#') + "\ndef stop():\n  pass\n"}});
  const auto resolved = outline_resolver()->resolve(
      {.view = view}, {merged_of(proposal("a.py", 1))}, kCounter, 1000, {});
  ASSERT_EQ(resolved.size(), 1U);
  EXPECT_EQ(depths_of(resolved[0]).front(), Depth::kFull);
  ASSERT_GE(resolved[0].depths.size(), 2U);
  for (std::size_t i = 1; i < resolved[0].depths.size(); ++i) {
    EXPECT_LT(resolved[0].depths[i].tokens, resolved[0].depths[i - 1].tokens);
    EXPECT_LT(resolved[0].depths[i].depth, resolved[0].depths[i - 1].depth);
  }
}

TEST(DepthResolver, GoesNoDeeperThanAskedFor) {
  auto listed = proposal("b/other.py", 1);
  listed.candidate.depth = Depth::kListing;
  const auto resolved =
      outline_resolver()->resolve({.view = few_files()}, {merged_of(listed)}, kCounter, 1000, {});
  ASSERT_EQ(resolved.size(), 1U);
  EXPECT_THAT(depths_of(resolved[0]), ElementsAre(Depth::kListing));
}

TEST(DepthResolver, LeavesOutWhatCannotBeRead) {
  auto view = few_files();
  view->lose("b/other.py");
  auto beyond = piece("a/plan.py", 0, 100'000);
  const auto resolved = outline_resolver()->resolve(
      {.view = view},
      {merged_of(proposal("b/other.py", 1)), merged_of(proposal("gone.py", 1)), merged_of(beyond)},
      kCounter, 1000, {});
  EXPECT_THAT(resolved, IsEmpty());
  EXPECT_THAT(outline_resolver()->resolve({}, {merged_of(proposal("x", 1))}, kCounter, 10, {}),
              IsEmpty());
}

TEST(DepthResolver, ListsBinaryFiles) {
  auto view = few_files();
  view->set_kind("b/other.py", index::FileKind::kBinary);
  const auto resolved = outline_resolver()->resolve(
      {.view = view}, {merged_of(proposal("b/other.py", 1))}, kCounter, 1000, {});
  ASSERT_EQ(resolved.size(), 1U);
  EXPECT_THAT(depths_of(resolved[0]), ElementsAre(Depth::kListing));
  EXPECT_THAT(resolved[0].depths[0].content, HasSubstr("b/other.py"));
}

TEST(DepthResolver, ReadsNoMoreThanAPageCanHold) {
  std::map<std::string, std::string> files;
  std::vector<Merged> merged;
  for (int i = 0; i < 300; ++i) {
    const std::string path = "file" + std::to_string(i);
    files[path] = std::string(2000, 'x') + path;
    merged.push_back(merged_of(proposal(path, 1)));
  }
  const auto resolved =
      outline_resolver()->resolve({.view = std::make_shared<test::TestView>(files)},
                                  std::move(merged), kCounter, 1'000'000, {});
  EXPECT_EQ(resolved.size(), 300U);
  EXPECT_EQ(std::ranges::count_if(
                resolved, [](const Resolved& one) { return one.depths[0].depth == Depth::kFull; }),
            80);
}

TEST(DepthResolver, ShowsTextsOfStrategies) {
  auto decision = proposal("decision/1", 1);
  decision.candidate.text = "use SQLite";
  const auto resolved = outline_resolver()->resolve({}, {merged_of(decision)}, kCounter, 1000, {});
  ASSERT_EQ(resolved.size(), 1U);
  EXPECT_EQ(resolved[0].depths[0].content, "use SQLite");
}

TEST(DepthResolver, StopsWhenAsked) {
  base::StopSource stop;
  stop.request_stop();
  EXPECT_THAT(
      outline_resolver()->resolve({.view = few_files()}, {merged_of(proposal("b/other.py", 1))},
                                  kCounter, 1000, stop.token()),
      IsEmpty());
}

TEST(Nearness, IsOfTheFocusTheFolderTheTestAndTheGraph) {
  auto view = few_files();
  view->connect("a/plan.py", "b/other.py", 0.5);
  const internal::Nearness nearness({.focus = {"a/plan.py"}, .view = view}, {});
  EXPECT_DOUBLE_EQ(nearness.of("a/plan.py"), 1);
  EXPECT_DOUBLE_EQ(nearness.of("test/test_plan.py"), 0.5);
  EXPECT_DOUBLE_EQ(nearness.of("b/other.py"), 0.2);
  EXPECT_DOUBLE_EQ(nearness.of("a/new.py"), 0.1);
  EXPECT_DOUBLE_EQ(nearness.of("c/new.py"), 0);
}

TEST(Nearness, KnowsWhatATestIsAbout) {
  for (const auto* path : {"src/plan_test.cc", "test/test_plan.py", "lib/plan.rb", "plan.spec.ts",
                           "PlanTest.java", "a/plan-test.js"}) {
    EXPECT_EQ(internal::subject_of(path), "plan") << path;
  }
  EXPECT_EQ(internal::subject_of("test.py"), "test");
  EXPECT_EQ(internal::subject_of(".gitignore"), ".gitignore");
}

Resolved resolved_of(Proposal proposal, std::vector<std::pair<Depth, std::size_t>> depths = {}) {
  Resolved resolved{.merged = merged_of(std::move(proposal))};
  for (const auto& [depth, tokens] : depths) {
    resolved.depths.push_back(
        {.depth = depth, .content = std::string(tokens, 'x'), .tokens = tokens});
  }
  return resolved;
}

TEST(Scorer, WeighsFourParts) {
  auto history = std::make_shared<test::TestHistory>();
  history->recencies["a/plan.py"] = 0.5;
  const auto scored = weighted_scorer()->score(
      {.view = few_files(), .history = history},
      {resolved_of(proposal("b/other.py", .5, "s", 1)), resolved_of(proposal("a/plan.py", 1))});
  ASSERT_EQ(scored.size(), 2U);
  EXPECT_EQ(scored[0].resolved.merged.candidate.path, "a/plan.py");
  EXPECT_EQ(scored[0].parts,
            (ScoreParts{.relevance = 1, .hierarchy = 1, .quality = 1, .recency = 0.5}));
  EXPECT_DOUBLE_EQ(scored[0].score, .4 + .3 + .2 + .05);
  EXPECT_DOUBLE_EQ(scored[1].parts.relevance, 0.5);
  EXPECT_DOUBLE_EQ(scored[1].parts.recency, 0);
}

TEST(Scorer, PutsAWeakPieceBelowItsFile) {
  const auto scored = weighted_scorer()->score(
      {.view = few_files()},
      {resolved_of(proposal("a/plan.py", 1)), resolved_of(piece("a/plan.py", 0, 9, .2))});
  ASSERT_EQ(scored.size(), 2U);
  EXPECT_EQ(scored[0].resolved.merged.candidate.range, syntax::Range{});
  EXPECT_GT(scored[0].score, scored[1].score);
}

Scored scored_of(std::string path, double score,
                 std::vector<std::pair<Depth, std::size_t>> depths) {
  return {.resolved = resolved_of(proposal(std::move(path), score), std::move(depths)),
          .score = score};
}

TEST(Packer, DegradesBeforeItDrops) {
  for (const auto& packer : {knapsack_packer(), greedy_packer()}) {
    std::size_t left_out = 0;
    const auto fragments = packer->pack(
        {scored_of("a", 1, {{Depth::kFull, 100}, {Depth::kSignatures, 40}}),
         scored_of("b", .9,
                   {{Depth::kFull, 100}, {Depth::kSignatures, 40}, {Depth::kMembers, 20}})},
        130, left_out);
    ASSERT_EQ(fragments.size(), 2U);
    EXPECT_EQ(fragments[0].depth, Depth::kFull);
    EXPECT_EQ(fragments[1].depth, Depth::kMembers);
    EXPECT_EQ(left_out, 0U);
  }
}

TEST(Packer, TakesNothingBelowTenTokens) {
  std::size_t left_out = 0;
  EXPECT_THAT(knapsack_packer()->pack({scored_of("a", 1, {{Depth::kFull, 9}})}, 100, left_out),
              IsEmpty());
  EXPECT_EQ(left_out, 1U);
}

TEST(Packer, DoesNotShowAPieceOfWhatIsShown) {
  Scored part{.resolved = resolved_of(piece("a", 0, 9), {{Depth::kFull, 20}}), .score = .5};
  std::size_t left_out = 0;
  const auto fragments =
      greedy_packer()->pack({scored_of("a", 1, {{Depth::kFull, 50}}), part}, 100, left_out);
  ASSERT_EQ(fragments.size(), 1U);
  EXPECT_EQ(fragments[0].range, syntax::Range{});
  EXPECT_EQ(left_out, 0U);
}

TEST(Packer, ShowsAPieceBesideAnOutlineOfItsFile) {
  Scored part{.resolved = resolved_of(piece("a", 0, 9), {{Depth::kFull, 60}}), .score = .9};
  const auto whole = scored_of("a", 1, {{Depth::kFull, 500}, {Depth::kMembers, 30}});
  for (const auto& packer : {knapsack_packer(), greedy_packer()}) {
    std::size_t left_out = 0;
    const auto fragments = packer->pack({whole, part}, 100, left_out);
    ASSERT_EQ(fragments.size(), 2U);
    EXPECT_EQ(fragments[0].depth, Depth::kMembers);
    EXPECT_EQ(fragments[1].range.end, 9U);
  }
}

TEST(Packer, NamesAllWhoProposed) {
  auto scored = scored_of("a", 1, {{Depth::kFull, 50}});
  scored.resolved.merged.from.push_back(proposal("a", .2, "other"));
  std::size_t left_out = 0;
  const auto fragments = knapsack_packer()->pack({scored}, 100, left_out);
  ASSERT_EQ(fragments.size(), 1U);
  EXPECT_EQ(fragments[0].strategy, "s");
  EXPECT_THAT(fragments[0].strategies, ElementsAre("other", "s"));
}

TEST(Packer, NeverPassesTheBudget) {
  base::SeededRandom random(11);
  for (const auto& packer : {knapsack_packer(), greedy_packer()}) {
    for (int round = 0; round < 300; ++round) {
      std::vector<Scored> scored;
      for (std::size_t i = random.below(30); i > 0; --i) {
        std::vector<std::pair<Depth, std::size_t>> depths;
        std::size_t tokens = 1 + random.below(400);
        for (const Depth depth :
             {Depth::kFull, Depth::kSignatures, Depth::kMembers, Depth::kListing}) {
          depths.emplace_back(depth, tokens);
          tokens = 1 + random.below(tokens);
        }
        auto one = scored_of("f" + std::to_string(random.below(12)), random.uniform(), depths);
        if (random.below(2) == 0) one.resolved.merged.candidate.range = {.begin = 1, .end = 2};
        scored.push_back(std::move(one));
      }
      const std::size_t budget = random.below(1500);
      const std::size_t things = scored.size();
      std::size_t left_out = 0;
      std::size_t used = 0;
      const auto fragments = packer->pack(std::move(scored), budget, left_out);
      for (const auto& fragment : fragments) {
        used += fragment.tokens;
        EXPECT_GE(fragment.tokens, 10U);
      }
      EXPECT_LE(used, budget);
      EXPECT_LE(fragments.size() + left_out, things);
    }
  }
}

Fragment fragment(std::string path, std::uint32_t begin, double score) {
  return {.path = std::move(path),
          .range = {.begin = begin, .end = begin + 1, .first_line = begin, .last_line = begin},
          .score = score,
          .strategies = {"arce"},
          .why = "because"};
}

std::vector<std::pair<std::string, std::uint32_t>> places(const std::vector<Fragment>& fragments) {
  std::vector<std::pair<std::string, std::uint32_t>> places;
  for (const auto& one : fragments) places.emplace_back(one.path, one.range.begin);
  return places;
}

TEST(Orderer, KeepsFilesTogetherAndInTheirOwnOrder) {
  const std::vector<Fragment> fragments = {fragment("a", 5, .5), fragment("b", 1, .9),
                                           fragment("a", 9, .8), fragment("b", 0, .1)};
  EXPECT_THAT(
      places(file_orderer()->order(fragments)),
      ElementsAre(std::pair("b", 0), std::pair("b", 1), std::pair("a", 5), std::pair("a", 9)));
  EXPECT_THAT(
      places(score_orderer()->order(fragments)),
      ElementsAre(std::pair("b", 1), std::pair("a", 9), std::pair("a", 5), std::pair("b", 0)));
}

TEST(Preamble, SaysWhereEachPieceIsFrom) {
  const auto text = provenance_preamble()->write({}, {fragment("a", 5, .5)}, kCounter, 100);
  EXPECT_THAT(text, HasSubstr("a:5-5 (full; arce): because"));
  EXPECT_EQ(provenance_preamble()->write({}, {}, kCounter, 100), "");
  EXPECT_EQ(no_preamble()->write({}, {fragment("a", 5, .5)}, kCounter, 100), "");
}

TEST(Preamble, StaysWithinItsTokens) {
  const std::vector<Fragment> fragments(50, fragment("some/path", 5, .5));
  for (std::size_t tokens = 0; tokens < 300; tokens += 7) {
    EXPECT_LE(kCounter.count(provenance_preamble()->write({}, fragments, kCounter, tokens)),
              tokens);
  }
}

TEST(Skeleton, HasTheMembersOfWhatMattersAndTheFolders) {
  const auto text =
      tree_skeleton()->make({.view = few_files()}, {fragment("a/plan.py", 0, 1)}, kCounter, 200);
  EXPECT_THAT(text, HasSubstr("a/plan.py: start stop"));
  EXPECT_THAT(text, HasSubstr("a/ 2"));
  EXPECT_THAT(text, HasSubstr("test/ 1"));
}

TEST(Skeleton, StaysWithinItsTokens) {
  for (std::size_t tokens = 0; tokens < 60; ++tokens) {
    const auto text = tree_skeleton()->make({.view = few_files()}, {fragment("a/plan.py", 0, 1)},
                                            kCounter, tokens);
    EXPECT_LE(kCounter.count(text), tokens);
  }
  EXPECT_EQ(tree_skeleton()->make({}, {}, kCounter, 100), "");
  EXPECT_EQ(no_skeleton()->make({.view = few_files()}, {}, kCounter, 100), "");
}

/// Lines cost more together than alone.
class GreedyCounter final : public TokenCounter {
 public:
  [[nodiscard]] std::string_view name() const override { return "greedy"; }
  [[nodiscard]] std::size_t count(std::string_view text) const override {
    return text.size() * text.size();
  }
  [[nodiscard]] std::string_view error() const override { return {}; }
};

TEST(Lines, AreCountedTogether) {
  const GreedyCounter counter;
  EXPECT_EQ(internal::as_many_lines({"a\n", "b\n", "c\n"}, counter, 16), "a\nb\n");
  EXPECT_EQ(internal::as_many_lines({"a\n", "b\n", "c\n"}, counter, 12), "a\n");
  EXPECT_EQ(internal::as_many_lines({"a\n"}, counter, 3), "");
}

TEST(PartsFrom, TakesDefaultsForWhatIsNotNamed) {
  const auto parts =
      parts_from({{"packer", "greedy"}, {"depth", "members"}, {"scorer", "weighted"}});
  ASSERT_TRUE(parts.ok());
  EXPECT_NE(parts->selector, nullptr);
  EXPECT_NE(parts->skeleton, nullptr);
}

TEST(PartsFrom, SaysWhatIsWrongWithAName) {
  const auto part = parts_from({{"paker", "greedy"}});
  ASSERT_FALSE(part.ok());
  EXPECT_THAT(part.error().message(), HasSubstr("did you mean \"packer\"?"));
  const auto name = parts_from({{"packer", "zzz"}});
  ASSERT_FALSE(name.ok());
  EXPECT_THAT(name.error().message(), HasSubstr("there are: knapsack, greedy"));
}

}  // namespace
}  // namespace clever::context
