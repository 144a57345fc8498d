#include "service/trace/trace_exporter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "base/ulid.h"
#include "model/document_json.h"
#include "support/cli_models.h"

namespace clever::service {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class TraceTest : public ::testing::Test {
 protected:
  TraceTest() { exporter_.send_to("http://collector/v1/traces"); }

  [[nodiscard]] storage::ModelCallRecord call() const {
    return {.plan = plan_,
            .model = "large",
            .started = model::to_timestamp(1'000'000),
            .latency = std::chrono::milliseconds(250),
            .attributes =
                R"({"gen_ai.operation.name":"chat","gen_ai.usage.input_tokens":12,)"
                R"("gen_ai.request.temperature":0.5,"clever.attempts":[{"model":"large"}]})"};
  }
  void answer(int status) { models_.network.pages["http://collector/v1/traces"] = {status, "{}"}; }

  base::SystemClock clock_;
  base::SystemRandom random_;
  const model::PlanId plan_{base::UlidGenerator(clock_, random_).next()};
  test::CliModels models_;
  TraceExporter exporter_{models_, clock_};
};

TEST_F(TraceTest, ACallOfAModelIsASpanWithTheNamesOfGenAi) {
  answer(200);
  exporter_.on_model_call(call());
  exporter_.flush();
  ASSERT_EQ(models_.network.requests.size(), 1U);
  const std::string body = models_.network.requests[0].body;
  ASSERT_TRUE(model::parse_document(body).ok()) << body;
  EXPECT_THAT(
      body, AllOf(HasSubstr(R"("name":"chat large","kind":3,"startTimeUnixNano":"1000000000",)"
                            R"("endTimeUnixNano":"1250000000")"),
                  HasSubstr(R"({"key":"gen_ai.usage.input_tokens","value":{"intValue":"12"}})"),
                  HasSubstr(R"({"key":"gen_ai.request.temperature","value":{"doubleValue":0.5}})"),
                  HasSubstr(R"({"key":"service.name","value":{"stringValue":"cleveragents"}})")));
  EXPECT_EQ(exporter_.counts().sent, 1U);
}

TEST_F(TraceTest, AToolIsASpanWithoutItsArguments) {
  answer(200);
  exporter_.on_tool(plan_, "run_command cat secret", true);
  exporter_.flush();
  EXPECT_TRUE(models_.network.requests.empty()) << "it has not ended";
  exporter_.on_tool(plan_, "run_command cat secret", false);
  exporter_.flush();
  EXPECT_THAT(models_.network.requests.at(0).body,
              AllOf(HasSubstr("execute_tool run_command"), Not(HasSubstr("secret"))));
}

TEST_F(TraceTest, WhatTheCollectorRefusesIsCounted) {
  answer(503);
  exporter_.on_model_call(call());
  exporter_.flush();
  EXPECT_EQ(exporter_.counts().dropped, 1U);
  EXPECT_EQ(exporter_.counts().sent, 0U);
}

TEST_F(TraceTest, AFullQueueDropsAndCounts) {
  for (int i = 0; i < 5000; ++i) exporter_.on_model_call(call());
  EXPECT_EQ(exporter_.counts().waiting, 4096U);
  EXPECT_EQ(exporter_.counts().dropped, 904U);
}

TEST_F(TraceTest, WithoutACollectorNothingIsKept) {
  exporter_.send_to("");
  exporter_.on_model_call(call());
  exporter_.flush();
  EXPECT_EQ(exporter_.counts().waiting, 0U);
  EXPECT_TRUE(models_.network.requests.empty());
}

}  // namespace
}  // namespace clever::service
