#include "engine/withhold.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace clever::engine {
namespace {

using model::Message;
using model::Reasoning;
using model::Text;
using model::ToolCall;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class WithholdTest : public testing::Test {
 protected:
  WithholdTest() { secrets_.add("correct-horse-battery"); }

  WithheldAnswer withhold(std::vector<model::Part> parts) {
    answer_ = {model::Role::kAssistant, std::move(parts)};
    return withhold_from_answer(answer_, secrets_);
  }
  template <class Command>
  Command masked(Command given) {
    plan::Command command(std::move(given));
    withhold_from_command(command, secrets_);
    return std::get<Command>(command);
  }

  base::Secrets secrets_;
  Message answer_;
};

TEST_F(WithholdTest, AnAnswerWithoutASecretStaysAsItIs) {
  const std::vector<model::Part> parts = {
      Reasoning{"password: str", "c2lnbmF0dXJl", "anthropic"}, Text{"api_key = settings.key"},
      ToolCall{"1", "write_file", R"({"content":"token='sk-ant-api03-AbCdEf_GhIjKl'"})", "sig"}};
  const WithheldAnswer withheld = withhold(parts);
  EXPECT_EQ(withheld.parts, 0);
  EXPECT_THAT(withheld.refused, ElementsAre(false));
  EXPECT_EQ(answer_.parts, parts);
}

TEST_F(WithholdTest, WordsAreMasked) {
  EXPECT_EQ(withhold({Text{"it is correct-horse-battery."}}).parts, 1);
  EXPECT_EQ(answer_.parts, (std::vector<model::Part>{Text{"it is [secret-withheld]."}}));
}

TEST_F(WithholdTest, ASecretSplitOverPartsIsMasked) {
  EXPECT_EQ(withhold({Text{"it is correct-"}, Reasoning{"hm"}, Text{"horse-battery."}}).parts, 1);
  EXPECT_EQ(answer_.parts,
            (std::vector<model::Part>{Text{"it is [secret-withheld]."}, Reasoning{"hm"}}));
}

TEST_F(WithholdTest, SignedThinkingIsDroppedAndOtherIsMasked) {
  EXPECT_EQ(withhold({Reasoning{"correct-horse-battery", "sig", "anthropic"},
                      Reasoning{"x", "correct-horse-battery", "google"},
                      Reasoning{"is correct-horse-battery", "", "openai"}})
                .parts,
            3);
  EXPECT_EQ(answer_.parts,
            (std::vector<model::Part>{Reasoning{"is [secret-withheld]", "", "openai"}}));
}

TEST_F(WithholdTest, CallsWhoseArgumentsHoldOneAreRefused) {
  const WithheldAnswer withheld =
      withhold({ToolCall{"1", "read_file", R"({"path":"a"})"},
                ToolCall{"2", "run_command", R"({"command":"echo correct-horse-battery"})"}});
  EXPECT_EQ(withheld.parts, 1);
  EXPECT_THAT(withheld.refused, ElementsAre(false, true));
  EXPECT_EQ(std::get<ToolCall>(answer_.parts[1]).arguments,
            R"({"command":"echo [secret-withheld]"})");
}

TEST_F(WithholdTest, IdsStayDistinct) {
  const WithheldAnswer withheld = withhold({ToolCall{"correct-horse-battery", "f", "{}"},
                                            ToolCall{"correct-horse-battery2", "f", "{}"}});
  EXPECT_THAT(withheld.refused, ElementsAre(false, false));
  EXPECT_EQ(std::get<ToolCall>(answer_.parts[0]).id, "withheld-1");
  EXPECT_EQ(std::get<ToolCall>(answer_.parts[1]).id, "withheld-2");
}

TEST_F(WithholdTest, WhatWiresWantBackIsDroppedWhole) {
  (void)withhold({ToolCall{"1", "f", "{}", "x correct-horse-battery"}});
  EXPECT_THAT(std::get<ToolCall>(answer_.parts[0]).opaque, IsEmpty());
}

TEST_F(WithholdTest, TheWordsOfCommandsAreMasked) {
  const std::string secret = "is correct-horse-battery";
  const std::string mask = "is [secret-withheld]";
  const Message said{model::Role::kUser, {Text{secret}}};
  const Message shown{model::Role::kUser, {Text{mask}}};
  const plan::Create create = masked(
      plan::Create{.title = secret, .settings = {.definition_of_done = secret}, .prompt = said});
  EXPECT_EQ(create.settings.definition_of_done, mask);
  EXPECT_EQ(create.title, mask);
  EXPECT_EQ(create.prompt, shown);
  EXPECT_EQ(masked(plan::Prompt{.message = said}).message, shown);
  EXPECT_EQ(masked(plan::Correct{.guidance = said}).guidance, shown);
  EXPECT_EQ(masked(plan::Cancel{.reason = secret}).reason, mask);
  EXPECT_EQ(masked(plan::Reject{.reason = secret}).reason, mask);
  EXPECT_EQ(masked(plan::RecordError{.message = secret}).message, mask);
  EXPECT_EQ(masked(plan::ActorWorked{.summary = secret}).summary, mask);
  EXPECT_EQ(masked(plan::Validated{.results = {{.output = secret}}}).results[0].output, mask);
  EXPECT_EQ(masked(plan::RecordDecision{.alternatives = {secret}}).alternatives[0], mask);
}

TEST_F(WithholdTest, FilesOfAPersonStayAsTheyAre) {
  const plan::Choose choose = masked(plan::Choose{.edits = {{"env", "correct-horse-battery\n"}}});
  EXPECT_EQ(choose.edits[0].content, "correct-horse-battery\n");
}

TEST_F(WithholdTest, APlanThatIsToRunOrWriteASecretIsRefused) {
  const std::string secret = "x correct-horse-battery";
  EXPECT_TRUE(refuse_secrets({.arguments = {{"replace", "horse"}}}, secrets_).ok());
  const auto refused = [&](const model::PlanSettings& settings) {
    const auto checked = refuse_secrets(settings, secrets_);
    return checked.ok() ? "" : checked.error().sentence();
  };
  EXPECT_THAT(refused({.arguments = {{"replace", secret}}}),
              testing::StartsWith("the argument replace contains a known secret"));
  EXPECT_THAT(refused({.control = {.validations = {{.name = secret, .argv = {"sh", secret}}}}}),
              testing::StartsWith("the validation x [secret-withheld] contains"));
  EXPECT_THAT(refused({.control = {.validations = {{.name = "v", .arguments = secret}}}}),
              HasSubstr("validation v"));
  EXPECT_THAT(refused({.control = {.hooks = {{.name = "h", .argv = {secret}}}}}),
              HasSubstr("hook h"));
  EXPECT_THAT(refused({.control = {.permissions = {{.pattern = secret}}}}), HasSubstr("rule x"));
}

TEST_F(WithholdTest, TheReasonNamesTheToolAndNotTheSecret) {
  EXPECT_THAT(secret_in_arguments("run_command"), HasSubstr("run_command"));
}

}  // namespace
}  // namespace clever::engine
