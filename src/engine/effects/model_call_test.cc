#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/context_snapshot.h"
#include "storage/model_calls.h"
#include "support/effects_world.h"

namespace clever::engine {
namespace {

using plan::EffectKind;
using test::EffectsWorld;
using ::testing::HasSubstr;
using ::testing::Not;

// A plan that was asked something, on a model that answers by this script.
class Asked {
 public:
  explicit Asked(std::string_view script) : world(script) {
    world.repository.write("a.txt", "a\n");
    world.repository.write("AGENTS.md", "Use tabs.\n");
    world.repository.commit();
    plan = world.plan_at_base();
    say("Change a.txt");
    plan.prompts = {plan.transcript[0].body};
  }
  void say(const std::string& text) {
    plan.transcript.push_back(
        {.role = model::Role::kUser, .body = world.keep(test::user_text(text))});
  }
  plan::Command run() {
    EffectOrder order = world.order(plan, EffectKind::kModel, R"({"turn":1})");
    plan::State with_effect = plan;
    with_effect.effects[order.id] = {.kind = EffectKind::kModel, .reserved = {500, 600}};
    order.plan = std::make_shared<const plan::State>(with_effect);
    order.stop = stop.token();
    effects = make_effects(world.parts());
    effects->start(std::move(order), end.done());
    return end.wait();
  }
  std::vector<storage::ModelCallRecord> traces() {
    // Nobody waits for a trace: what was submitted before this is there after it.
    storage::UnitOfWork last;
    last.run("SELECT 1");
    world.database().commit(std::move(last)).value();
    return storage::ModelCalls(world.database()).list({.plan = plan.id}).value();
  }

  EffectsWorld world;
  plan::State plan;
  base::StopSource stop;
  test::EffectEnd end;
  std::unique_ptr<EffectRunner> effects;
};

TEST(ModelCall, TheAnswerComesBack) {
  Asked asked("rules: [{reply: All done., usage: {input: 10, output: 3}}]");
  const auto answered = std::get<plan::Answered>(asked.run());
  EXPECT_EQ(answered.message,
            (model::Message{model::Role::kAssistant, {model::Text{"All done."}}}));
  EXPECT_EQ(answered.model, "demo/m");
  EXPECT_EQ(answered.input_tokens, 10);
  EXPECT_EQ(answered.output_tokens, 3);
  EXPECT_EQ(answered.spent, (model::Cost{0, 13}));
  EXPECT_FALSE(answered.cut);
  EXPECT_FALSE(answered.strategy.has_value());
  EXPECT_EQ(asked.end.times(), 1U);
}

TEST(ModelCall, SaysWhatTheModelWasShown) {
  Asked asked("rules: [{reply: All done.}]");
  const auto answered = std::get<plan::Answered>(asked.run());
  const auto shown = model::ContextSnapshot::parse(answered.context).value();
  EXPECT_EQ(shown.source, "files");
  EXPECT_EQ(shown.tree, asked.plan.tree);
  std::vector<std::string> paths;
  for (const auto& fragment : shown.fragments) paths.push_back(fragment.path);
  EXPECT_EQ(paths, (std::vector<std::string>{"", "a.txt", "AGENTS.md"}));
}

TEST(ModelCall, IsTraced) {
  Asked asked("rules: [{reply: All done.}]");
  (void)asked.run();
  const auto traces = asked.traces();
  ASSERT_EQ(traces.size(), 1U);
  EXPECT_EQ(traces[0].provider, "demo");
  EXPECT_EQ(traces[0].cost, 0);
  EXPECT_EQ(traces[0].attributes.find("Change a.txt"), std::string::npos);
}

TEST(ModelCall, TheModelSeesTheTaskTheFilesAndTheInstructions) {
  Asked asked(
      "rules:\n"
      "- match: {any: [Change a.txt], system: [Use tabs.], tool: [edit_file]}\n"
      "  reply: Seen.\n");
  EXPECT_TRUE(std::holds_alternative<plan::Answered>(asked.run()));
}

TEST(ModelCall, CallsHaveTheirVerdict) {
  Asked asked(
      "rules:\n"
      "- tool_calls:\n"
      "  - {name: read_file, arguments: {path: a.txt}}\n"
      "  - {name: edit_file, arguments: {path: a.txt, old_text: a, new_text: b}}\n"
      "  - {name: unknown, arguments: {}}\n");
  asked.plan.settings.control.permissions = {
      {model::Verdict::kDeny, "edit_file(*.txt)", "your settings"},
      {model::Verdict::kAsk, "read_file", "your settings"}};
  const auto answered = std::get<plan::Answered>(asked.run());
  ASSERT_EQ(answered.verdicts.size(), 3U);
  EXPECT_EQ(answered.verdicts[0].verdict, model::Verdict::kAsk);
  EXPECT_EQ(answered.verdicts[0].shown, "read_file a.txt");
  EXPECT_EQ(answered.verdicts[1].verdict, model::Verdict::kDeny);
  EXPECT_EQ(answered.verdicts[2].verdict, model::Verdict::kAllow);
}

TEST(ModelCall, TheModelGetsTheInvariants) {
  Asked asked(
      "rules:\n"
      "- match: {system: [What must hold, The API stays.]}\n"
      "  reply: Seen.\n");
  asked.plan.settings.control.invariants = {{.text = "The API stays."}};
  EXPECT_TRUE(std::holds_alternative<plan::Answered>(asked.run()));
}

TEST(ModelCall, CallsHaveTheirClass) {
  Asked asked(
      "rules:\n"
      "- tool_calls:\n"
      "  - {name: read_file, arguments: {path: a.txt}}\n"
      "  - {name: edit_file, arguments: {path: a.txt, old_text: a, new_text: b}}\n"
      "  - {name: outside, arguments: {}}\n"
      "  - {name: unknown, arguments: {}}\n");
  class Outside final : public tool::Tool {
   public:
    [[nodiscard]] const tool::ToolSpec& spec() const override { return spec_; }
    base::Result<tool::ToolAnswer> call(const tool::CallContext&, std::string_view) override {
      return tool::ToolAnswer{};
    }
    const tool::ToolSpec spec_{
        .name = "outside", .description = "x", .capabilities = {.side_effects = true}};
  };
  asked.world.registry.set("test", {std::make_shared<Outside>()}).value();
  const auto answered = std::get<plan::Answered>(asked.run());
  EXPECT_EQ(answered.calls, (std::vector{plan::CallClass::kRead, plan::CallClass::kWrite,
                                         plan::CallClass::kOutside, plan::CallClass::kRead}));
}

constexpr std::string_view kStrategy =
    "rules:\n"
    "- tool_calls:\n"
    "  - name: submit_strategy\n"
    "    arguments: {summary: Two steps, steps: [{id: a, title: A, mode: inline}]}\n";

TEST(ModelCall, AStrategyIsRead) {
  Asked asked(kStrategy);
  asked.plan.phase = model::Phase::kStrategize;
  const auto answered = std::get<plan::Answered>(asked.run());
  ASSERT_TRUE(answered.strategy.has_value());
  EXPECT_EQ((*answered.strategy)->summary, "Two steps");
  EXPECT_EQ(answered.calls, std::vector{plan::CallClass::kRead});
}

TEST(ModelCall, ABadStrategyIsReadAsSuch) {
  Asked asked("rules: [{tool_calls: {name: submit_strategy, arguments: {steps: 7}}}]");
  asked.plan.phase = model::Phase::kStrategize;
  const auto answered = std::get<plan::Answered>(asked.run());
  ASSERT_TRUE(answered.strategy.has_value());
  EXPECT_EQ(answered.strategy->error().code(), base::ErrorCode::kInvalidArgument);
}

TEST(ModelCall, OutsideOfStrategizeItIsNotAStrategy) {
  Asked asked(kStrategy);
  EXPECT_FALSE(std::get<plan::Answered>(asked.run()).strategy.has_value());
}

TEST(ModelCall, ACutAnswerIsMarked) {
  Asked asked("rules: [{reply: And then, stop: length}]");
  EXPECT_TRUE(std::get<plan::Answered>(asked.run()).cut);
}

TEST(ModelCall, ARefusalIsReported) {
  Asked asked("rules: [{refusal: I will not.}]");
  EXPECT_EQ(std::get<plan::Answered>(asked.run()).refusal, "I will not.");
}

TEST(ModelCall, AFailureHasItsCategoryAndCostsNothingIfNothingBegan) {
  Asked asked("rules: [{error: quota}]");
  const auto error = std::get<plan::RecordError>(asked.run());
  EXPECT_EQ(error.category, model::ErrorCategory::kCredit);
  EXPECT_EQ(error.spent, model::Cost{});
  EXPECT_EQ(asked.traces().at(0).error, "quota");
}

TEST(ModelCall, AnAnswerThatIsTooLongIsMisbehaviourAndPaidFor) {
  Asked asked("rules: [{reply: 0123456789, usage: {input: 1, output: 2}}]");
  asked.plan.settings.limits.answer_bytes = 9;
  const auto error = std::get<plan::RecordError>(asked.run());
  EXPECT_EQ(error.category, model::ErrorCategory::kModelMisbehaviour);
  EXPECT_EQ(error.spent.tokens, 3);
}

TEST(ModelCall, AModelThatIsNotThereIsAnError) {
  Asked asked("rules: [{reply: x}]");
  asked.plan.settings.terms.model = "nobody/x";
  EXPECT_THAT(std::get<plan::RecordError>(asked.run()).message, HasSubstr("nobody"));
}

TEST(ModelCall, WordsThatAreGoneAreAnError) {
  Asked asked("rules: [{reply: x}]");
  asked.plan.transcript.push_back({.body = base::sha256("nothing")});
  EXPECT_EQ(std::get<plan::RecordError>(asked.run()).category, model::ErrorCategory::kResource);
}

class Shown final : public Observer {
 public:
  void on_text(const model::PlanId&, const std::string& piece, bool reasoning) override {
    text.with([&](std::string& all) { all += (reasoning ? "~" : "") + piece + "|"; });
  }
  void on_restart(const model::PlanId&) override {
    text.with([](std::string& all) { all += "!"; });
  }
  base::Guarded<std::string> text;
};

TEST(ModelCall, PiecesAreShown) {
  Asked asked("rules: [{reasoning: hm, reply: Hello, chunk: 3}]");
  Shown shown;
  asked.world.observer = &shown;
  (void)asked.run();
  EXPECT_EQ(shown.text.with([](const auto& all) { return all; }), "~hm|Hel|lo|");
}

constexpr std::string_view kSecret = "correct-horse-battery";

TEST(ModelCall, AKnownSecretIsMaskedInWhatIsShownAndKept) {
  Asked asked(
      "rules: [{reasoning: It is correct-horse-battery, reply: 'Use correct-horse-battery!', "
      "chunk: 3}]");
  asked.world.secrets.add(kSecret);
  Shown shown;
  asked.world.observer = &shown;
  const auto answered = std::get<plan::Answered>(asked.run());
  EXPECT_THAT(model::to_json({answered.message}), Not(HasSubstr("horse")));
  EXPECT_THAT(model::to_json({answered.message}), HasSubstr("Use [secret-withheld]!"));
  EXPECT_GT(answered.withheld, 0);
  std::string all = shown.text.with([](const auto& text) { return text; });
  std::erase(all, '|');
  EXPECT_THAT(all, Not(HasSubstr("horse")));
  EXPECT_THAT(all, HasSubstr("Use [secret-withheld]!"));
}

TEST(ModelCall, ACallWithAKnownSecretIsRefused) {
  Asked asked(
      "rules:\n"
      "- tool_calls:\n"
      "  - {name: write_file, arguments: {path: a.txt, content: correct-horse-battery}}\n"
      "  - {name: read_file, arguments: {path: a.txt}}\n");
  asked.world.secrets.add(kSecret);
  const auto answered = std::get<plan::Answered>(asked.run());
  ASSERT_EQ(answered.verdicts.size(), 2U);
  EXPECT_EQ(answered.verdicts[0].verdict, model::Verdict::kDeny);
  EXPECT_THAT(answered.verdicts[0].why, HasSubstr("known secret"));
  EXPECT_EQ(answered.verdicts[1].verdict, model::Verdict::kAllow);
}

TEST(ModelCall, AStrategyWithAKnownSecretIsRefused) {
  Asked asked(
      "rules:\n"
      "- tool_calls:\n"
      "  - name: submit_strategy\n"
      "    arguments: {summary: Use correct-horse-battery, steps: [{id: a, title: A, mode: "
      "inline}]}\n");
  asked.world.secrets.add(kSecret);
  asked.plan.phase = model::Phase::kStrategize;
  const auto answered = std::get<plan::Answered>(asked.run());
  ASSERT_TRUE(answered.strategy.has_value());
  EXPECT_FALSE(answered.strategy->ok());
}

TEST(ModelCall, InstructionsOfThePlanAreMaskedForTheModel) {
  Asked asked(
      "rules:\n"
      "- match: {system: ['Log in with [secret-withheld].']}\n"
      "  reply: Masked.\n");
  asked.world.secrets.add(kSecret);
  asked.plan.settings.control.invariants = {{.text = "Log in with correct-horse-battery."}};
  EXPECT_TRUE(std::holds_alternative<plan::Answered>(asked.run()));
}

TEST(ModelCall, AFailureThatHoldsAKnownSecretIsMasked) {
  Asked asked("rules: [{error: {kind: quota, message: Your key correct-horse-battery is empty}}]");
  asked.world.secrets.add(kSecret);
  EXPECT_THAT(std::get<plan::RecordError>(asked.run()).message, Not(HasSubstr("horse")));
}

TEST(ModelCall, AFileWithAKnownSecretIsSaidToBeWithheld) {
  Asked asked(
      "rules:\n"
      "- match: {any: [this file holds a known secret and is withheld]}\n"
      "  reply: Withheld.\n");
  asked.world.repository.write("a.txt", "x\ncorrect-horse-battery\n");
  asked.world.repository.commit();
  asked.plan = asked.world.plan_at_base();
  asked.say("Change a.txt");
  asked.plan.prompts = {asked.plan.transcript[0].body};
  asked.world.secrets.add(kSecret);
  EXPECT_TRUE(std::holds_alternative<plan::Answered>(asked.run()));
}

TEST(ModelCall, SourceThatOnlyLooksSecretIsShownAsItIs) {
  Asked asked(
      "rules:\n"
      "- match: {any: ['def login(password: str, api_key=settings.key)']}\n"
      "  reply: Seen.\n");
  asked.world.repository.write("a.txt", "def login(password: str, api_key=settings.key)\n");
  asked.world.repository.commit();
  asked.plan = asked.world.plan_at_base();
  asked.say("Change a.txt");
  asked.plan.prompts = {asked.plan.transcript[0].body};
  asked.world.secrets.add(kSecret);
  EXPECT_TRUE(std::holds_alternative<plan::Answered>(asked.run()));
}

TEST(ModelCall, AStopEndsItWithoutWaitingForTheModel) {
  Asked asked("rules: [{reply: late, delay: 2h}]");
  // From whatever thread, whenever: here before, meanwhile below.
  asked.stop.request_stop();
  EXPECT_TRUE(std::holds_alternative<plan::EffectStopped>(asked.run()));
}

class StopsAtOnce final : public Observer {
 public:
  explicit StopsAtOnce(base::StopSource& stop) : stop_(stop) {}
  void on_text(const model::PlanId&, const std::string&, bool) override { stop_.request_stop(); }

 private:
  base::StopSource& stop_;
};

TEST(ModelCall, AStopInTheMiddleOfTheAnswerCostsWhatWasReserved) {
  Asked asked("rules: [{reply: abcdef, chunk: 2, chunk_delay: 1h}]");
  StopsAtOnce observer(asked.stop);
  asked.world.observer = &observer;
  const auto stopped = std::get<plan::EffectStopped>(asked.run());
  EXPECT_EQ(stopped.spent, (model::Cost{500, 600}));
  EXPECT_EQ(asked.end.times(), 1U);
}

TEST(ModelCall, EndingTheRunnerStopsWhatRuns) {
  Asked asked("rules: [{reply: late, delay: 2h}]");
  asked.effects = make_effects(asked.world.parts());
  asked.effects->start(asked.world.order(asked.plan, EffectKind::kModel), asked.end.done());
  asked.effects.reset();
  EXPECT_EQ(asked.end.times(), 1U);
  EXPECT_TRUE(std::holds_alternative<plan::EffectStopped>(asked.end.wait()));
}

}  // namespace
}  // namespace clever::engine
