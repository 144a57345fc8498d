#include "model/strategy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace clever::model {
namespace {

using ::testing::HasSubstr;
using Ids = std::vector<std::string>;

StrategyStep step(std::string id, StepMode mode = StepMode::kInline,
                  std::optional<Ids> needs = std::nullopt) {
  return {.id = std::move(id), .title = "t", .mode = mode, .depends_on = std::move(needs)};
}

void check_strategy_refused(const std::string& text, const std::string& why) {
  const auto parsed = Strategy::parse(text);
  ASSERT_FALSE(parsed.ok()) << text;
  EXPECT_EQ(parsed.error().code(), base::ErrorCode::kInvalidArgument);
  EXPECT_THAT(parsed.error().sentence(), HasSubstr(why)) << text;
}

std::string with_steps(const std::string& steps) {
  return R"({"summary":"s","steps":)" + steps + "}";
}

TEST(Strategy, IsReadAsItWasWritten) {
  const Strategy strategy{.summary = "all",
                          .rationale = "because",
                          .confidence = 0.25,
                          .alternatives = {"other"},
                          .steps = {{.id = "a.b-c_1",
                                     .title = "first",
                                     .detail = "more",
                                     .mode = StepMode::kSubplan,
                                     .depends_on = Ids{},
                                     .paths = {"src", "not\xfftext"}},
                                    step("b")}};
  EXPECT_EQ(Strategy::parse(strategy.to_json()).value(), strategy);
}

TEST(Strategy, NeedsOnlySummaryAndSteps) {
  const auto parsed = Strategy::parse(with_steps(R"([{"id":"a","title":"t"}])"));
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ(parsed->steps[0].mode, StepMode::kInline);
  EXPECT_FALSE(parsed->steps[0].depends_on);
}

TEST(Strategy, SaysWhatWouldBeRight) {
  check_strategy_refused("", "not JSON");
  check_strategy_refused("[]", "must be an object");
  check_strategy_refused("{}", "\"summary\" must be a string");
  check_strategy_refused(R"({"summary":"s"})", "at least one step");
  check_strategy_refused(with_steps("{}"), "an array of objects");
  check_strategy_refused(with_steps("[]"), "at least one step");
  check_strategy_refused(with_steps(R"([{"title":"t"}])"), "\"id\" must be a string");
  check_strategy_refused(with_steps(R"([{"id":"a b","title":"t"}])"), "letters, digits");
  check_strategy_refused(with_steps(R"([{"id":"a","title":" "}])"), "\"title\" is empty");
  check_strategy_refused(with_steps(R"([{"id":"a","title":"t","mode":"odd"}])"),
                         "\"inline\" or \"subplan\" (it is \"odd\")");
  check_strategy_refused(with_steps(R"([{"id":"a","title":"t"},{"id":"a","title":"t"}])"),
                         "\"a\" is taken by \"steps\"[0]");
  check_strategy_refused(with_steps(R"([{"id":"a","title":"t","depends_on":["x"]}])"),
                         "names \"x\", which is no step");
  check_strategy_refused(with_steps(R"([{"id":"a","title":"t","depends_on":["a"]}])"),
                         "depends on itself");
  check_strategy_refused(with_steps(R"([{"id":"a","title":"t","depends_on":"b"}])"), "depends_on");
  check_strategy_refused(with_steps(R"([{"id":"a","title":"t","paths":[7]}])"), "\"paths\"");
  check_strategy_refused(R"({"summary":"s","confidence":1.5,"steps":[]})", "between 0 and 1");
}

TEST(Strategy, NamesTheStepsOfACircle) {
  check_strategy_refused(with_steps(R"([{"id":"x","title":"t","depends_on":["a"]},
                               {"id":"a","title":"t","depends_on":["b"]},
                               {"id":"b","title":"t","depends_on":["a"]}])"),
                         "in a circle: a → b → a");
}

TEST(Strategy, FindsACircleThroughWhatIsImplied) {
  check_strategy_refused(
      with_steps(R"([{"id":"a","title":"t","depends_on":["b"]},{"id":"b","title":"t"}])"),
      "in a circle");
}

TEST(Strategy, HasBounds) {
  Strategy many{.summary = "s"};
  for (int i = 0; i <= 10'000; ++i) many.steps.push_back(step("s" + std::to_string(i)));
  EXPECT_THAT(many.check().error().message(), HasSubstr("at most 10000"));
  Strategy dense{.summary = "s"};
  for (int i = 0; i < 500; ++i) {
    dense.steps.push_back(step("i" + std::to_string(i), StepMode::kInline, Ids{}));
  }
  for (int i = 0; i < 500; ++i) {
    dense.steps.push_back(step("s" + std::to_string(i), StepMode::kSubplan));
  }
  EXPECT_THAT(dense.check().error().message(), HasSubstr("dependencies"));
}

TEST(Strategy, NeighbouringSubplansRunBesideEachOther) {
  const Strategy strategy{
      .summary = "s",
      .steps = {step("a"), step("b", StepMode::kSubplan), step("c", StepMode::kSubplan), step("d"),
                step("e", StepMode::kSubplan)}};
  const Strategy spelled = strategy.normalised();
  EXPECT_EQ(spelled.steps[0].depends_on, Ids{});
  EXPECT_EQ(spelled.steps[1].depends_on, Ids{"a"});
  EXPECT_EQ(spelled.steps[2].depends_on, Ids{"a"});
  EXPECT_EQ(spelled.steps[3].depends_on, (Ids{"a", "b", "c"}));
  EXPECT_EQ(spelled.steps[4].depends_on, Ids{"d"});
}

TEST(Strategy, KeepsExplicitSettings) {
  const Strategy strategy{.summary = "s",
                          .steps = {step("a"), step("b", StepMode::kInline, Ids{}), step("c")}};
  const Strategy spelled = strategy.normalised();
  EXPECT_EQ(spelled.steps[1].depends_on, Ids{});
  EXPECT_EQ(spelled.steps[2].depends_on, (Ids{"a", "b"}));
  EXPECT_EQ(spelled.normalised(), spelled);
}

TEST(Strategy, ALongListStaysSmall) {
  Strategy strategy{.summary = "s"};
  for (int i = 0; i < 10'000; ++i) strategy.steps.push_back(step("s" + std::to_string(i)));
  EXPECT_TRUE(strategy.check().ok());
  EXPECT_EQ(strategy.normalised().steps.back().depends_on, Ids{"s9998"});
}

TEST(StrategySchema, IsJsonThatNamesTheKeys) {
  const auto schema = nlohmann::json::parse(strategy_schema());
  EXPECT_EQ(schema["required"], (nlohmann::json{"summary", "steps"}));
  EXPECT_TRUE(schema["properties"]["steps"]["items"]["properties"].contains("depends_on"));
}

}  // namespace
}  // namespace clever::model
