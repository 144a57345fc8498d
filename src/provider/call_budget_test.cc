#include "provider/call_budget.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "support/events.h"

namespace clever::provider {
namespace {

using std::chrono::sys_days;
using namespace std::chrono_literals;
using test::numbered_id;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

ResolvedModel priced(const std::string& name, Rate input, Rate output) {
  ProviderConfig config;
  config.endpoint.provider = name;
  ModelFacts facts;
  facts.price = Price{.rates = {input, output, input, input}};
  return {std::make_shared<const Provider>(config, nullptr), "m", facts};
}

ModelRequest question_of(const std::string& text, std::int64_t output) {
  ModelRequest request;
  request.messages = {{model::Role::kUser, {model::Text{text}}}};
  request.max_output_tokens = output;
  return request;
}

TEST(BudgetScopes, AreTakenDayFirstAndPlansFromTheRootDown) {
  const Spender spender{.plan = numbered_id<model::PlanId>(3),
                        .parents = {numbered_id<model::PlanId>(2), numbered_id<model::PlanId>(1)},
                        .session = "s",
                        .now = sys_days(2026y / 3 / 9) + 23h};
  EXPECT_THAT(budget_scopes(spender),
              ElementsAre("day/2026-03-09", "session/s",
                          "plan/" + numbered_id<model::PlanId>(1).to_string(),
                          "plan/" + numbered_id<model::PlanId>(2).to_string(),
                          "plan/" + numbered_id<model::PlanId>(3).to_string()));
}

TEST(BudgetScopes, WithoutASessionThereIsNone) {
  EXPECT_THAT(
      budget_scopes({.plan = numbered_id<model::PlanId>(1), .now = sys_days(2026y / 12 / 31)}),
      ElementsAre("day/2026-12-31", "plan/" + numbered_id<model::PlanId>(1).to_string()));
}

TEST(CallBudget, CountsBytesAsTokensAndTheWholeOutput) {
  const auto chain = {priced("a", 1'000'000, 10'000'000)};
  const CallBudget small = call_budget(chain, question_of("", 100));
  const CallBudget large = call_budget(chain, question_of(std::string(1000, 'x'), 100));
  EXPECT_EQ(large.worst_case.money - small.worst_case.money, 1000);
  EXPECT_EQ(large.worst_case.tokens - small.worst_case.tokens, 1000);
  EXPECT_THAT(large.unpriced, IsEmpty());
}

TEST(CallBudget, TakesTheDearestModelOfTheChain) {
  const ModelRequest request = question_of("hello", 1000);
  const auto cheap = priced("a", 1'000'000, 1'000'000);
  const auto dear = priced("b", 9'000'000, 9'000'000);
  EXPECT_EQ(call_budget({cheap, dear}, request).worst_case,
            call_budget({dear}, request).worst_case);
}

TEST(CallBudget, SaysWhichModelsHaveNoPrice) {
  ResolvedModel unknown = priced("local", 0, 0);
  unknown.facts.price.reset();
  const CallBudget budget = call_budget({unknown}, question_of("x", 10));
  EXPECT_EQ(budget.worst_case.money, 0);
  EXPECT_GT(budget.worst_case.tokens, 10);
  EXPECT_THAT(budget.unpriced, ElementsAre("local/m"));
}

TEST(CallBudget, CountsEverythingThatIsSent) {
  ModelRequest request;
  const auto grows = [&](auto&& change) {
    const std::int64_t before = input_token_bound(request);
    change();
    return input_token_bound(request) - before;
  };
  auto& parts = request.messages.emplace_back().parts;
  const std::string text(500, 'x');
  EXPECT_GE(grows([&] { request.system = text; }), 500);
  EXPECT_GE(grows([&] { parts.push_back(model::Reasoning{text, text, ""}); }), 1000);
  EXPECT_GE(grows([&] { parts.push_back(model::ToolCall{"i", text, text}); }), 1000);
  EXPECT_GE(grows([&] { parts.push_back(model::ToolResult{"i", {model::Text{text}}}); }), 500);
  EXPECT_GE(grows([&] { parts.push_back(model::Image{"image/png", "x"}); }), 1000);
  EXPECT_GE(grows([&] { request.tools.push_back({text, text, text}); }), 1500);
  EXPECT_GE(grows([&] { request.stop.push_back(text); }), 500);
  EXPECT_GE(grows([&] { request.answer_schema = text; }), 500);
}

TEST(ActualCost, IsWhatTheProviderCounted) {
  const ResolvedModel model = priced("a", 1'000'000, 2'000'000);
  EXPECT_EQ(actual_cost(model.facts, {.input = 10, .output = 5, .known = true}, {999, 999}),
            (model::Cost{20, 15}));
}

TEST(ActualCost, WithoutNumbersIsWhatWasReserved) {
  const ResolvedModel model = priced("a", 1'000'000, 2'000'000);
  EXPECT_EQ(actual_cost(model.facts, {}, {999, 998}), (model::Cost{999, 998}));
}

TEST(ActualCost, OfAnUnpricedModelIsTokensOnly) {
  EXPECT_EQ(actual_cost({}, {.input = 10, .output = 5, .known = true}, {999, 999}),
            (model::Cost{0, 15}));
}

}  // namespace
}  // namespace clever::provider
