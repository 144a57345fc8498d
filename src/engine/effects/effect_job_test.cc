#include "engine/effects/internal/effect_job.h"

#include <gtest/gtest.h>

#include "engine/effects/internal/effect_data.h"

namespace clever::engine::internal {
namespace {

EffectOrder order(const base::StopToken& stop = {}) {
  EffectOrder order;
  order.id = model::EffectId(base::Ulid::parse("01HF7YAT00000000000000000A").value());
  order.plan = std::make_shared<const plan::State>();
  order.stop = stop;
  return order;
}

TEST(EffectJob, IsSettledOnce) {
  std::vector<plan::Command> outcomes;
  {
    EffectJob job(order(), [&](plan::Command outcome) { outcomes.push_back(std::move(outcome)); });
    job.settle(plan::Sealed{.effect = job.order().id});
  }
  ASSERT_EQ(outcomes.size(), 1U);
  EXPECT_TRUE(std::holds_alternative<plan::Sealed>(outcomes[0]));
}

TEST(EffectJob, WhoDropsItHasItStopped) {
  std::vector<plan::Command> outcomes;
  {
    EffectJob job(order(), [&](plan::Command outcome) { outcomes.push_back(std::move(outcome)); });
  }
  ASSERT_EQ(outcomes.size(), 1U);
  EXPECT_EQ(std::get<plan::EffectStopped>(outcomes[0]).effect, order().id);
}

TEST(EffectJob, AnErrorHasTheCategoryOfItsCode) {
  const auto failure = EffectJob::failure(order(), base::unavailable("no server").add_context("x"));
  const auto& record = std::get<plan::RecordError>(failure);
  EXPECT_EQ(record.category, model::ErrorCategory::kResource);
  EXPECT_EQ(record.message, "x: no server");
  EXPECT_EQ(record.effect, order().id);
  EXPECT_FALSE(record.lasts);
  EXPECT_TRUE(
      std::get<plan::RecordError>(EffectJob::failure(order(), base::conflict("a rebase"))).lasts);
}

TEST(EffectJob, WhatFailsAfterAStopWasStopped) {
  base::StopSource stop;
  stop.request_stop();
  const auto failure = EffectJob::failure(order(stop.token()), base::unavailable("gone"));
  EXPECT_TRUE(std::holds_alternative<plan::EffectStopped>(failure));
  EXPECT_TRUE(std::holds_alternative<plan::EffectStopped>(
      EffectJob::failure(order(), base::cancelled("closed"))));
}

TEST(EffectData, IsReadByKey) {
  EXPECT_EQ(text_in(R"({"step":"a"})", "step").value(), "a");
  EXPECT_EQ(texts_in(R"({"steps":["a","b"]})", "steps").value(),
            (std::vector<std::string>{"a", "b"}));
}

TEST(EffectData, WhatIsWrongIsCorruption) {
  for (const std::string_view data : {"", "[]", "{}", R"({"step":1})", R"({"step":[1]})"}) {
    EXPECT_EQ(text_in(data, "step").error().code(), base::ErrorCode::kCorruption) << data;
    EXPECT_EQ(texts_in(data, "step").error().code(), base::ErrorCode::kCorruption) << data;
  }
}

}  // namespace
}  // namespace clever::engine::internal
