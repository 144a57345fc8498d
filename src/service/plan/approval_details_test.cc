#include "service/plan/approval_details.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/message.h"
#include "storage/bodies.h"
#include "storage/database_source.h"
#include "storage/engine_cache.h"
#include "support/temporary_directory.h"

namespace clever::service {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// A plan that holds calls until an approval is answered.
class ApprovalDetailsTest : public testing::Test {
 protected:
  ApprovalDetailsTest()
      : engine_(cache_.open(storage::DatabaseUrl::parse("sqlite::memory:", folder_.path()).value())
                    .value()) {
    plan_.approval = model::ApprovalRequested{.number = 1, .subject = "tools"};
  }

  void holds(const std::vector<model::ToolCall>& calls) {
    model::Message message{.role = model::Role::kAssistant, .parts = {model::Text{"I do it."}}};
    message.parts.insert(message.parts.end(), calls.begin(), calls.end());
    storage::Body body = storage::Body::of(model::to_json({message}));
    plan_.held = plan::OpenEffect{.kind = plan::EffectKind::kTools,
                                  .data = R"({"answer":")" + body.hash.to_hex() + R"("})"};
    storage::UnitOfWork unit;
    storage::Bodies::put(unit, std::move(body));
    ASSERT_TRUE(engine_->commit(std::move(unit)).ok());
  }
  std::string details(const std::string& item) {
    return approval_details(*engine_, plan_, {.id = item}, {});
  }

  test::TemporaryDirectory folder_;
  base::SystemClock clock_;
  storage::DatabaseSource source_{{}, clock_};
  storage::EngineCache cache_{source_};
  std::shared_ptr<storage::Engine> engine_;
  plan::State plan_;
};

TEST_F(ApprovalDetailsTest, ACallHasItsArguments) {
  holds({{.id = "a", .name = "run_command", .arguments = R"({"command":"git push","n":3})"},
         {.id = "b", .name = "write_file", .arguments = R"({"path":"x","content":"1\n2\n"})"}});
  EXPECT_EQ(details("a"), "     command: git push\n     n: 3\n");
  EXPECT_EQ(details("b"), "     content:\n       1\n       2\n     path: x\n");
  EXPECT_THAT(details("c"), IsEmpty());
}

TEST_F(ApprovalDetailsTest, CallsWithTheSameIdAreDistinguished) {
  holds({{.id = "a", .name = "t", .arguments = R"({"n":1})"},
         {.id = "a", .name = "t", .arguments = R"({"n":2})"},
         {.id = "", .name = "t", .arguments = R"({"n":3})"}});
  EXPECT_EQ(details("a"), "     n: 1\n");
  EXPECT_EQ(details("a#2"), "     n: 2\n");
  EXPECT_EQ(details("#1"), "     n: 3\n");
}

TEST_F(ApprovalDetailsTest, WhatAModelWroteDoesNotSteerTheTerminal) {
  holds({{.id = "a", .name = "t", .arguments = R"({"x":"\u001b[2J","y":""})"},
         {.id = "b", .name = "t", .arguments = "\x1b[31mnothing that is JSON"}});
  EXPECT_THAT(details("a"), AllOf(Not(HasSubstr("\x1b")), HasSubstr("     y: \n")));
  EXPECT_THAT(details("b"), AllOf(Not(HasSubstr("\x1b")), HasSubstr("nothing that is JSON")));
}

TEST_F(ApprovalDetailsTest, MuchIsCut) {
  std::string lines;
  for (int i = 0; i < 1000; ++i) lines += R"(line\n)";
  holds({{.id = "a",
          .name = "t",
          .arguments =
              R"({"long":")" + std::string(10'000, 'x') + R"(","many":")" + lines + R"("})"}});
  EXPECT_LT(details("a").size(), 3'000U);
  EXPECT_THAT(details("a"), HasSubstr("x…\n"));
}

TEST_F(ApprovalDetailsTest, WithoutTheAnswerThereIsNothing) {
  plan_.held = plan::OpenEffect{.data = R"({"answer":")" + base::sha256("gone").to_hex() + "\"}"};
  EXPECT_THAT(details("a"), IsEmpty());
  for (const char* data : {"", "{}", "[1]", R"({"answer":1})", R"({"answer":"x"})"}) {
    plan_.held->data = data;
    EXPECT_THAT(details("a"), IsEmpty()) << data;
  }
}

TEST_F(ApprovalDetailsTest, AStrategyHasItsSteps) {
  plan_.approval->subject = "strategy";
  plan_.steps = {{.definition = {.id = "a", .title = "Look", .detail = "First\nthen"}},
                 {.definition = {.id = "b", .title = "Do", .mode = model::StepMode::kSubplan}}};
  EXPECT_EQ(details("strategy"),
            "     a: Look\n       First\n       then\n     b: Do (a subplan)\n");
  plan_.approval->subject = "reversion";
  EXPECT_THAT(details("reversion"), IsEmpty());
}

}  // namespace
}  // namespace clever::service
