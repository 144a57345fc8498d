#include "engine/actor/turn_request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/utf8.h"
#include "model/strategy.h"
#include "provider/transcript.h"
#include "tool/json_schema.h"

namespace clever::engine {
namespace {

using model::Message;
using model::Role;
using model::Text;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class FakeTool final : public tool::Tool {
 public:
  explicit FakeTool(tool::ToolSpec spec) : spec_(std::move(spec)) {}
  [[nodiscard]] const tool::ToolSpec& spec() const override { return spec_; }
  base::Result<tool::ToolAnswer> call(const tool::CallContext&, std::string_view) override {
    return tool::ToolAnswer{};
  }

 private:
  const tool::ToolSpec spec_;
};

tool::ToolSpec reader(std::string name) {
  return {.name = std::move(name), .description = "Reads.", .capabilities = {.read_only = true}};
}
tool::ToolSpec writer(std::string name, tool::Source source = tool::Source::kBuiltin) {
  return {.name = std::move(name),
          .description = "Writes.",
          .capabilities = {.writes = true},
          .source = source};
}

Message says(Role role, std::string text) { return {role, {Text{std::move(text)}}}; }
Message user_message(std::string text) { return says(Role::kUser, std::move(text)); }

std::string first_text(const provider::ModelRequest& request) {
  std::string text;
  for (const model::Part& part : request.messages.at(0).parts) {
    if (const auto* own = std::get_if<Text>(&part)) text += own->text;
  }
  return text;
}

std::vector<std::string> tool_names(const provider::ModelRequest& request) {
  std::vector<std::string> found;
  for (const auto& tool : request.tools) found.push_back(tool.name);
  return found;
}

class TurnRequest : public testing::Test {
 protected:
  TurnRequest() {
    plan.phase = model::Phase::kExecute;
    offer({reader("read_file"), writer("edit_file"), writer("weather", tool::Source::kMcp)});
  }
  void offer(const std::vector<tool::ToolSpec>& specs) {
    std::vector<std::shared_ptr<tool::Tool>> tools;
    for (const auto& spec : specs) tools.push_back(std::make_shared<FakeTool>(spec));
    ASSERT_TRUE(registry.set("test", tools).ok());
  }
  void add_step(const std::string& id, model::StepState state, const std::string& summary = "") {
    plan::Step step;
    step.definition = {.id = id, .title = "Title of " + id, .detail = "Detail of " + id};
    step.state = state;
    step.summary = summary;
    plan.steps.push_back(step);
  }
  TurnParts parts() {
    return {.plan = plan,
            .transcript = transcript,
            .prompts = {user_message("Fix the bug")},
            .context = {.fragments = {{.text = "./: a.cc\n", .why = "all"},
                                      {.path = "a.cc", .text = "int x;", .why = "named"}}},
            .instructions = {{.path = "AGENTS.md", .text = "Be tidy.", .why = "everywhere"},
                             {.path = "src/AGENTS.md", .text = "Be terse.", .why = "below src/"}},
            .tools = registry.snapshot()};
  }

  plan::State plan;
  tool::ToolRegistry registry;
  std::vector<Message> transcript = {user_message("Step 1: do it")};
};

TEST_F(TurnRequest, ThePromptInExecute) {
  const auto request = turn_request(parts());
  EXPECT_THAT(request.system, StartsWith("You are a senior software engineer who carries out"));
  EXPECT_THAT(request.system, HasSubstr("# How the step ends"));
  EXPECT_EQ(first_text(request),
            "<project_files why=\"all\">\n./: a.cc\n</project_files>\n"
            "<file path=\"a.cc\" why=\"named\">\nint x;\n</file>\n"
            "<task>\nFix the bug\n</task>\n"
            "Step 1: do it");
  EXPECT_THAT(tool_names(request), ElementsAre("ask", "edit_file", "read_file", "weather"));
  EXPECT_EQ(request.max_output_tokens, plan.settings.terms.max_output);
}

TEST_F(TurnRequest, InStrategizeThereIsOnlyReadingAndTheStrategy) {
  plan.phase = model::Phase::kStrategize;
  const auto request = turn_request(parts());
  EXPECT_THAT(request.system, StartsWith("You are a senior software engineer who plans"));
  EXPECT_THAT(tool_names(request), ElementsAre("ask", "read_file", "submit_strategy"));
  EXPECT_EQ(request.tools[2].parameters, model::strategy_schema());
  for (const auto& tool : {request.tools[0], request.tools[2]}) {
    EXPECT_TRUE(tool::JsonSchema::compile(tool.parameters).ok()) << tool.name;
  }
}

TEST_F(TurnRequest, AReadOnlyPlanOnlyReads) {
  plan.settings.read_only = true;
  const auto request = turn_request(parts());
  EXPECT_THAT(request.system, HasSubstr("Nothing may be changed"));
  EXPECT_THAT(tool_names(request), ElementsAre("ask", "read_file"));
}

TEST_F(TurnRequest, AToolOfThatNameIsNotOffered) {
  offer({reader("submit_strategy"), reader("ask"), reader("read_file")});
  plan.phase = model::Phase::kStrategize;
  EXPECT_THAT(tool_names(turn_request(parts())),
              ElementsAre("ask", "read_file", "submit_strategy"));
  EXPECT_EQ(offered_tools(plan, registry.snapshot())->tools().size(), 1U);
  EXPECT_TRUE(offered_tools(plan, nullptr)->tools().empty());
}

TEST_F(TurnRequest, SkillsAreListedWhereTheyCanBeUsed) {
  auto all = parts();
  all.skills = "- notes: How notes are written.\n";
  EXPECT_THAT(turn_request(all).system, Not(HasSubstr("# Skills")));
  offer({reader("use_skill")});
  all.tools = registry.snapshot();
  EXPECT_THAT(turn_request(all).system,
              HasSubstr("call use_skill with its name.\n- notes: How notes are written.\n"));
  plan.settings.limits.overhead_bytes = 0;
  EXPECT_THAT(turn_request(all).system, Not(HasSubstr("# Skills")));
}

TEST_F(TurnRequest, InstructionsSayThatTheNearestWins) {
  auto all = parts();
  all.actor_system = "You review.";
  const std::string system = turn_request(all).system;
  EXPECT_THAT(system, HasSubstr("\n# Your role\nYou review.\n"));
  EXPECT_THAT(system,
              HasSubstr("Where two differ, the later one, which is nearer to the files, wins.\n"
                        "<instructions path=\"AGENTS.md\" why=\"everywhere\">\nBe tidy.\n"
                        "</instructions>\n<instructions path=\"src/AGENTS.md\" why=\"below src/\">"
                        "\nBe terse.\n</instructions>\n"));
}

TEST_F(TurnRequest, TheTranscriptIsAcceptable) {
  transcript = {says(Role::kAssistant, "I look."),
                {Role::kAssistant, {model::ToolCall{.id = "1", .name = "read_file"}}}};
  const auto request = turn_request(parts());
  EXPECT_FALSE(provider::corrected(request.messages));
  EXPECT_EQ(request.messages.front().role, Role::kUser);
  EXPECT_EQ(request.messages.back().role, Role::kUser);
}

TEST_F(TurnRequest, TheSamePartsMakeTheSameRequest) {
  add_step("a", model::StepState::kDone, "Did a.");
  add_step("b", model::StepState::kRunning);
  plan.active = 1;
  EXPECT_EQ(turn_request(parts()), turn_request(parts()));
}

TEST_F(TurnRequest, WhatWasSentBeforeStaysAsItIs) {
  add_step("a", model::StepState::kRunning);
  add_step("b", model::StepState::kPending);
  plan.active = 0;
  const auto before = turn_request(parts());
  transcript.push_back(says(Role::kAssistant, "Working."));
  transcript.push_back(user_message("results"));
  plan.turns_in_step = 7;
  plan.tree = "another";
  plan.changesets[{}].entries = 4;
  const auto after = turn_request(parts());
  EXPECT_EQ(after.system, before.system);
  EXPECT_EQ(after.tools, before.tools);
  ASSERT_EQ(after.messages.size(), 3U);
  EXPECT_EQ(after.messages[0], before.messages[0]);
}

TEST_F(TurnRequest, WhatIsDoneAndWhatIsPending) {
  plan.strategy_summary = "First a, then b.";
  add_step("a", model::StepState::kDone, "Did\na.");
  add_step("b", model::StepState::kRunning);
  add_step("c", model::StepState::kPending);
  add_step("d", model::StepState::kRunning);
  add_step("e", model::StepState::kFailed);
  add_step("f", model::StepState::kSkipped);
  plan.active = 1;
  EXPECT_THAT(first_text(turn_request(parts())),
              HasSubstr("<strategy>\nFirst a, then b.\n"
                        "What is marked done is finished: it is in the files, and stays as it is.\n"
                        "1. [done] Title of a — Did a.\n"
                        "2. [NOW] Title of b\nDetail of b\n"
                        "3. [pending] Title of c\n"
                        "4. [running beside you] Title of d\n"
                        "5. [failed] Title of e\n"
                        "6. [skipped] Title of f\n</strategy>\n"));
  EXPECT_THAT(first_text(turn_request(parts())),
              HasSubstr("Steps that are done have changed files since then"));
}

TEST_F(TurnRequest, OfATaskWorkedOnDirectlyThereIsNoStrategyToTell) {
  add_step("task", model::StepState::kRunning);
  plan.strategy_summary = "Fix the bug";
  EXPECT_THAT(first_text(turn_request(parts())), Not(HasSubstr("<strategy>")));
}

TEST_F(TurnRequest, TenThousandStepsAreShortened) {
  for (int i = 0; i < 10'000; ++i) add_step(std::to_string(i), model::StepState::kPending);
  plan.active = 5000;
  plan.steps[5000].definition.depends_on = {"3"};
  const std::string text = first_text(turn_request(parts()));
  EXPECT_LT(text.size(), 30'000U);
  EXPECT_THAT(text, HasSubstr("5001. [NOW] Title of 5000"));
  EXPECT_THAT(text, HasSubstr("   … 3 steps not shown …\n4. [pending] Title of 3\n"));
  EXPECT_THAT(text, HasSubstr("5002. [pending] Title of 5001"));
}

TEST_F(TurnRequest, AConflictIsShown) {
  plan.conflicts = {{.path = "a.cc", .kind = "content", .step = "x"}};
  EXPECT_THAT(first_text(turn_request(parts())), HasSubstr("resolved:\n- a.cc (content)\n</conf"));
  for (int i = 0; i < 1000; ++i) plan.conflicts.push_back({.path = "file" + std::to_string(i)});
  EXPECT_THAT(first_text(turn_request(parts())), HasSubstr(" more\n</conflicts>"));
}

TEST_F(TurnRequest, APromptInTheTranscriptIsNotRepeated) {
  auto all = parts();
  all.prompts = {user_message("Fix the bug"), user_message("Use spaces"), user_message("Be quick")};
  all.transcript = {user_message("Step"), user_message("Be quick")};
  const std::string text = first_text(turn_request(all));
  EXPECT_THAT(text, HasSubstr("</task>\n<guidance>\nUse spaces\n</guidance>\nStepBe quick"));
  EXPECT_EQ(text.find("Be quick"), text.rfind("Be quick"));
  all.transcript = {user_message("Fix the bug")};
  plan.settings.definition_of_done = "Tests pass.";
  const std::string said = first_text(turn_request(all));
  EXPECT_EQ(said.find("<task>"), std::string::npos);
  EXPECT_THAT(said, HasSubstr("<definition_of_done>\nTests pass.\n</definition_of_done>\n"));
}

TEST_F(TurnRequest, PicturesOfPromptsAreSent) {
  auto all = parts();
  all.prompts[0].parts.emplace_back(model::Image{"image/png", "bytes"});
  const auto request = turn_request(all);
  const auto& sent = request.messages[0].parts;
  EXPECT_TRUE(std::ranges::any_of(
      sent, [](const model::Part& part) { return std::holds_alternative<model::Image>(part); }));
}

TEST_F(TurnRequest, WhatIsAddedIsBounded) {
  auto all = parts();
  all.prompts = {user_message(std::string(90'000, 't')), user_message(std::string(300'000, 'g'))};
  all.instructions.insert(all.instructions.begin(),
                          {.path = "far", .text = std::string(200'000, 'i')});
  all.context.fragments.push_back({.path = "big", .text = std::string(300'000, 'c')});
  all.context.fragments.push_back({.path = "small", .text = "kept"});
  for (int i = 0; i < 500; ++i)
    add_step("s" + std::to_string(i), model::StepState::kDone, "Did it.");
  const auto request = turn_request(all);
  EXPECT_LE(overhead_bytes(request, all.transcript), plan.settings.limits.overhead_bytes);
  EXPECT_THAT(first_text(request), HasSubstr("bytes cut"));
  EXPECT_THAT(request.system, HasSubstr("Be terse."));
  EXPECT_THAT(request.system, Not(HasSubstr("iiii")));
  EXPECT_THAT(first_text(request), HasSubstr("<file path=\"small\">\nkept"));
  EXPECT_THAT(first_text(request), Not(HasSubstr("cccc")));
}

TEST_F(TurnRequest, ASmallWindowLeavesRoomForTheConversation) {
  plan.settings.terms.context_window = 8192;
  plan.settings.terms.max_output = 2048;
  auto all = parts();
  all.context.fragments[1].text = std::string(100'000, 'x');
  const auto request = turn_request(all);
  EXPECT_LE(overhead_bytes(request, all.transcript), 16 << 10);
  EXPECT_THAT(first_text(request), HasSubstr("Fix the bug"));
}

TEST_F(TurnRequest, ToolsThatDoNotFitAreLeftOutForeignOnesFirst) {
  auto huge = writer("aaa", tool::Source::kMcp);
  huge.description = std::string(300'000, 'x');
  offer({huge, reader("read_file"), writer("edit_file")});
  const auto request = turn_request(parts());
  EXPECT_THAT(tool_names(request), ElementsAre("ask", "edit_file", "read_file"));
  EXPECT_LE(overhead_bytes(request, transcript), plan.settings.limits.overhead_bytes);
}

TEST_F(TurnRequest, WhatIsNotUtf8IsMadeSo) {
  auto all = parts();
  all.prompts = {user_message("\xFF task")};
  all.instructions = {{.path = "\xFF", .text = "\xFE", .why = "\"quoted\""}};
  all.context = {.fragments = {{.path = "\xFF", .text = "\xFE"}}, .remark = "\xFD"};
  all.actor_system = "\xFC";
  const auto request = turn_request(all);
  EXPECT_TRUE(base::is_utf8(request.system));
  EXPECT_TRUE(base::is_utf8(first_text(request)));
  EXPECT_THAT(request.system, HasSubstr("why=\"'quoted'\""));
}

TEST_F(TurnRequest, ABudgetAllowsLess) {
  auto all = parts();
  all.max_output = 100;
  all.overhead_bytes = 4'000;
  const auto request = turn_request(all);
  EXPECT_EQ(request.max_output_tokens, 100);
  const std::int64_t prompt = static_cast<std::int64_t>(request.system.size());
  EXPECT_LE(overhead_bytes(request, transcript), 4'000 + prompt);
}

TEST_F(TurnRequest, AfterAnOverflowItIsSmaller) {
  plan.settings.terms.context_window = 20'000;
  constexpr auto kOverflow = static_cast<std::size_t>(model::ErrorCategory::kContextOverflow);
  plan.retries.at(kOverflow) = 1;
  EXPECT_EQ(turn_request(parts()).max_output_tokens, 20'000 / 4 / 4);
  plan.retries.at(kOverflow) = 8;
  EXPECT_EQ(turn_request(parts()).max_output_tokens, 512);
}

TEST_F(TurnRequest, NothingAtAll) {
  plan::State empty;
  const TurnParts none{.plan = empty};
  const auto request = turn_request(none);
  EXPECT_FALSE(request.messages.empty());
  EXPECT_TRUE(request.tools.empty());
}

TEST_F(TurnRequest, TheOverheadIsWhatIsBesideTheTranscript) {
  transcript = {user_message("abc"),
                {Role::kAssistant,
                 {model::Reasoning{.text = "think"},
                  model::ToolCall{.id = "1", .name = "read_file", .arguments = "{}"}}},
                {Role::kUser, {model::ToolResult{.call = "1", .content = {Text{"result"}}}}}};
  const auto request = turn_request(parts());
  const auto other = [&] {
    transcript = {};
    return turn_request(parts());
  }();
  EXPECT_GT(overhead_bytes(request, {}), overhead_bytes(request, transcript) - 1);
  EXPECT_GT(overhead_bytes(other, {}), 0);
  EXPECT_EQ(overhead_bytes({}, {user_message("abc")}), 0);
}

}  // namespace
}  // namespace clever::engine
