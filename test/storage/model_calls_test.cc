#include "storage/model_calls.h"

#include "storage/plan_test.h"

namespace clever::storage {
namespace {

class ModelCallsTest : public testing::PlanTest {
 protected:
  [[nodiscard]] ModelCallRecord full() {
    return {.plan = world().next<model::PlanId>(),
            .decision = world().next<model::DecisionId>(),
            .effect = world().next<model::EffectId>(),
            .provider = "anthropic",
            .model = "opus",
            .started = model::to_timestamp(1'000'000),
            .latency = std::chrono::microseconds(2'000),
            .first_byte = std::chrono::microseconds(700),
            .waited = std::chrono::microseconds(300),
            .retries = 2,
            .input_tokens = 10,
            .output_tokens = 20,
            .cache_read_tokens = 3,
            .cache_write_tokens = 4,
            .cost = 99,
            .attributes = R"({"gen_ai.operation.name":"chat"})"};
  }
  void record(const ModelCallRecord& call) {
    UnitOfWork unit;
    ModelCalls::add(unit, call);
    ASSERT_TRUE(engine().commit(std::move(unit)).ok());
  }
  [[nodiscard]] std::vector<ModelCallRecord> list(const ModelCalls::Filter& filter) {
    return ModelCalls(engine()).list(filter).value();
  }
};

TEST_P(ModelCallsTest, AreReadAsTheyWereWrittenNewestFirst) {
  const ModelCallRecord answered = full();
  const ModelCallRecord failed{.provider = "openai", .model = "gpt", .error = "quota"};
  record(answered);
  record(failed);
  EXPECT_EQ(list({}), (std::vector{failed, answered}));
  EXPECT_EQ(list({.limit = 1}), (std::vector{failed}));
}

TEST_P(ModelCallsTest, AreFoundByPlanAndProvider) {
  const ModelCallRecord mine = full();
  record(mine);
  record({.provider = "openai", .model = "gpt"});
  EXPECT_EQ(list({.plan = mine.plan}), (std::vector{mine}));
  EXPECT_EQ(list({.provider = "anthropic"}), (std::vector{mine}));
  EXPECT_TRUE(list({.plan = mine.plan, .provider = "openai"}).empty());
}

TEST_P(ModelCallsTest, JoinTheTransactionThatSettlesTheCall) {
  testing::HeldPlan plan = create();
  Append append = make_append(plan, {testing::note("settled")});
  append.also = ModelCalls::record(full());
  ASSERT_TRUE(journal().append(std::move(append)).ok());
  EXPECT_EQ(list({}).size(), 1U);
}

CLEVER_ALL_ENGINES(ModelCallsTest);

}  // namespace
}  // namespace clever::storage
