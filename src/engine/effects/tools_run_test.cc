#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/effects_world.h"

namespace clever::engine {
namespace {

using plan::EffectKind;
using test::EffectsWorld;
using test::result_texts;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class ToolsRunTest : public ::testing::Test {
 protected:
  ToolsRunTest() {
    world_.repository.write("a.txt", "one\ntwo\n");
    world_.repository.write("b.txt", "b\n");
    world_.repository.commit();
    plan_ = world_.plan_at_base();
  }
  static model::ToolCall call(std::string name, std::string arguments) {
    return {.id = name + "-id", .name = std::move(name), .arguments = std::move(arguments)};
  }
  std::string data_of(const std::vector<model::ToolCall>& calls) {
    model::Message answer{model::Role::kAssistant, {model::Text{"I will."}}};
    for (const auto& each : calls) answer.parts.emplace_back(each);
    return R"({"calls":[],"answer":")" + world_.keep(answer).to_hex() + "\"}";
  }
  plan::Command outcome(const std::vector<model::ToolCall>& calls) {
    return world_.run(plan_, EffectKind::kTools, data_of(calls));
  }
  plan::ToolsRan run(const std::vector<model::ToolCall>& calls) {
    const plan::Command ended = outcome(calls);
    if (const auto* error = std::get_if<plan::RecordError>(&ended)) ADD_FAILURE() << error->message;
    return std::get<plan::ToolsRan>(ended);
  }
  static model::ToolCall edit(std::string_view from, std::string_view to) {
    return call("edit_file", R"({"path":"a.txt","old_text":")" + std::string(from) +
                                 R"(","new_text":")" + std::string(to) + "\"}");
  }

  EffectsWorld world_;
  plan::State plan_;
};

TEST_F(ToolsRunTest, EveryCallHasItsResultInOrder) {
  const plan::ToolsRan ran = run({call("read_file", R"({"path":"b.txt"})"), edit("one", "ONE"),
                                  call("no_such_tool", "{}"), call("read_file", "{")});
  EXPECT_EQ(ran.results.role, model::Role::kUser);
  const auto texts = result_texts(ran.results);
  ASSERT_EQ(texts.size(), 4U);
  EXPECT_THAT(texts[0], HasSubstr("b"));
  EXPECT_THAT(texts[2], HasSubstr("no_such_tool"));
  ASSERT_EQ(ran.outcomes.size(), 4U);
  EXPECT_EQ(std::get<model::ToolResult>(ran.results.parts[0]).call, "read_file-id");
  EXPECT_EQ(ran.outcomes[0].tool, "read_file");
  EXPECT_FALSE(ran.outcomes[0].failed);
  EXPECT_FALSE(ran.outcomes[1].failed);
  EXPECT_TRUE(ran.outcomes[2].failed);
  EXPECT_TRUE(ran.outcomes[3].failed);
  EXPECT_TRUE(std::get<model::ToolResult>(ran.results.parts[3]).failed);
  EXPECT_EQ(ran.outcomes[0].shown, "read_file b.txt");
  EXPECT_EQ(ran.outcomes[0].problem, "");
  EXPECT_THAT(ran.outcomes[2].problem, HasSubstr("no_such_tool"));
}

TEST_F(ToolsRunTest, ARefusedCallIsAnsweredAndNotRun) {
  std::string data = data_of({edit("one", "ONE"), call("read_file", R"({"path":"b.txt"})")});
  data.replace(data.find("[]"), 2,
               R"([{"id":"edit_file-id","refused":"not run: a rule"},{"id":"read_file-id"}])");
  const auto ran = std::get<plan::ToolsRan>(world_.run(plan_, EffectKind::kTools, data));
  const auto texts = result_texts(ran.results);
  ASSERT_EQ(texts.size(), 2U);
  EXPECT_EQ(texts[0], "not run: a rule");
  EXPECT_TRUE(ran.outcomes[0].failed);
  EXPECT_FALSE(ran.outcomes[1].failed);
  EXPECT_EQ(ran.tree, "");
}

TEST_F(ToolsRunTest, AHookThatCannotBeRunBlocksTheCall) {
  plan_.settings.control.hooks = {{.name = "guard",
                                   .event = "tool.before",
                                   .match = "edit_file",
                                   .argv = {"/no/such/program"},
                                   .timeout = std::chrono::seconds{5}}};
  const plan::ToolsRan ran = run({edit("one", "ONE"), call("read_file", R"({"path":"b.txt"})")});
  EXPECT_THAT(result_texts(ran.results)[0], HasSubstr("not run: the hook guard"));
  EXPECT_FALSE(ran.outcomes[1].failed);
  EXPECT_EQ(world_.repository.read("a.txt"), "one\ntwo\n");
}

TEST_F(ToolsRunTest, WhatWasWrittenIsDurableAndReported) {
  const plan::ToolsRan ran = run({edit("one", "ONE")});
  EXPECT_EQ(world_.file_in(plan_, ran.tree, "a.txt"), "ONE\ntwo\n");
  const auto changes = world_.take_changes();
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0].path, "a.txt");
  EXPECT_EQ(changes[0].tool, "edit_file");
  EXPECT_EQ(world_.repository.read("a.txt"), "one\ntwo\n");
}

TEST_F(ToolsRunTest, ASubplanTellsWhatItRead) {
  EXPECT_TRUE(run({call("read_file", R"({"path":"b.txt"})")}).reads.empty());
  plan_.parent = world_.next<model::PlanId>();
  EXPECT_THAT(run({call("read_file", R"({"path":"b.txt"})")}).reads, ElementsAre("b.txt"));
}

TEST_F(ToolsRunTest, ReadingLeavesTheTreeAlone) {
  const plan::ToolsRan ran = run({call("read_file", R"({"path":"b.txt"})")});
  EXPECT_EQ(ran.tree, "");
  EXPECT_TRUE(world_.take_changes().empty());
}

TEST_F(ToolsRunTest, TurnsContinueFromEachOther) {
  plan_.tree = run({edit("one", "ONE")}).tree;
  EXPECT_EQ(world_.take_changes().size(), 1U);
  const plan::ToolsRan ran = run({edit("two", "TWO")});
  EXPECT_EQ(world_.file_in(plan_, ran.tree, "a.txt"), "ONE\nTWO\n");
  EXPECT_EQ(world_.take_changes().size(), 1U);
}

TEST_F(ToolsRunTest, ATurnThatIsRepeatedBeginsWhereItBegan) {
  const std::string data = data_of({edit("one", "ONE")});
  const auto first = std::get<plan::ToolsRan>(world_.run(plan_, EffectKind::kTools, data));
  const auto again = std::get<plan::ToolsRan>(world_.run(plan_, EffectKind::kTools, data));
  EXPECT_EQ(again.tree, first.tree);
  EXPECT_FALSE(again.outcomes[0].failed);
  EXPECT_EQ(again.outcomes[0].fingerprint, first.outcomes[0].fingerprint);
}

TEST_F(ToolsRunTest, FingerprintsTellCallsAndResultsApart) {
  const auto ran =
      run({call("read_file", R"({"path":"a.txt"})"), call("read_file", R"({"path":"b.txt"})"),
           call("read_file", R"({"path":"b.txt"})")});
  EXPECT_NE(ran.outcomes[0].fingerprint, ran.outcomes[1].fingerprint);
  EXPECT_EQ(ran.outcomes[1].fingerprint, ran.outcomes[2].fingerprint);
}

TEST_F(ToolsRunTest, AStrategyIsMadeWithoutWriting) {
  plan_.phase = model::Phase::kStrategize;
  const plan::ToolsRan ran = run({edit("one", "ONE"), call("read_file", R"({"path":"a.txt"})")});
  const auto texts = result_texts(ran.results);
  EXPECT_THAT(texts[0], HasSubstr("nothing is written"));
  EXPECT_TRUE(ran.outcomes[0].failed);
  EXPECT_THAT(texts[1], HasSubstr("one"));
  EXPECT_EQ(ran.tree, "");
  EXPECT_FALSE(std::filesystem::exists(world_.repository.beside("sandboxes") /
                                       plan_.id.to_string() / "workspaces"));
}

TEST_F(ToolsRunTest, APlanThatMayOnlyReadWritesNothing) {
  plan_.settings.read_only = true;
  const plan::ToolsRan ran = run({edit("one", "ONE"), call("read_file", R"({"path":"a.txt"})")});
  EXPECT_THAT(result_texts(ran.results)[0], HasSubstr("may only read"));
  EXPECT_FALSE(ran.outcomes[1].failed);
  EXPECT_EQ(ran.tree, "");
}

TEST_F(ToolsRunTest, BeyondTheBoundCallsAreRefused) {
  plan_.settings.limits.calls_per_turn = 1;
  const plan::ToolsRan ran = run({edit("one", "ONE"), edit("two", "TWO")});
  EXPECT_FALSE(ran.outcomes[0].failed);
  EXPECT_THAT(result_texts(ran.results)[1], HasSubstr("at most 1"));
  EXPECT_EQ(world_.file_in(plan_, ran.tree, "a.txt"), "ONE\ntwo\n");
}

TEST_F(ToolsRunTest, ConflictsStayOpenUntilTheirMarkersGo) {
  const std::string marked = "<<<<<<< one\nx\n=======\ny\n>>>>>>> two\n";
  plan_.tree = world_.edited(plan_, {{"c.txt", marked}, {"d.txt", marked}});
  const std::string object = git::object_id_of(git::ObjectKind::kBlob, marked).to_hex();
  plan_.conflicts = {{.path = "c.txt", .marked = object}, {.path = "d.txt", .marked = object}};
  EXPECT_THAT(run({call("read_file", R"({"path":"c.txt"})")}).open_conflicts,
              ElementsAre("c.txt", "d.txt"));
  const plan::ToolsRan ran = run({call("write_file", R"({"path":"c.txt","content":"x and y\n"})")});
  EXPECT_THAT(ran.open_conflicts, ElementsAre("d.txt"));
}

TEST_F(ToolsRunTest, AnAnswerThatIsGoneIsAnError) {
  const auto ended =
      world_.run(plan_, EffectKind::kTools, R"({"answer":")" + base::sha256("x").to_hex() + "\"}");
  EXPECT_EQ(std::get<plan::RecordError>(ended).category, model::ErrorCategory::kResource);
  EXPECT_TRUE(
      std::holds_alternative<plan::RecordError>(world_.run(plan_, EffectKind::kTools, "{}")));
}

class SeenCalls final : public Observer {
 public:
  void on_tool(const model::PlanId&, const std::string& call, bool begins) override {
    calls.with([&](auto& all) { all.push_back((begins ? "+" : "-") + call); });
  }
  base::Guarded<std::vector<std::string>> calls;
};

TEST_F(ToolsRunTest, CallsAreShown) {
  SeenCalls seen;
  world_.observer = &seen;
  (void)run({edit("one", "ONE")});
  EXPECT_THAT(seen.calls.with([](const auto& all) { return all; }),
              ElementsAre("+edit_file a.txt", "-edit_file a.txt"));
}

// Writes, then works on until it is let go, whatever it is asked.
class Stubborn final : public tool::Tool {
 public:
  explicit Stubborn(bool heeds) : heeds_(heeds) {}
  [[nodiscard]] const tool::ToolSpec& spec() const override { return spec_; }
  base::Result<tool::ToolAnswer> call(const tool::CallContext& context, std::string_view) override {
    context.workspace->write(git::TreePath::parse("late.txt").value(), "late\n").value();
    began_.update([](bool& value) { value = true; });
    (void)let_go_.wait(heeds_ ? context.stop : base::StopToken(), base::Deadline::never(),
                       [](bool value) { return value; });
    if (context.stop.stop_requested()) return base::cancelled("stopped");
    return tool::ToolAnswer{.text = "done"};
  }
  void wait_for_begin() {
    began_.wait({}, base::Deadline::never(), [](bool value) { return value; }).value();
  }
  void let_go() {
    let_go_.update([](bool& value) { value = true; });
  }

 private:
  const bool heeds_;
  const tool::ToolSpec spec_{.name = "stubborn",
                             .description = "Does not end",
                             .capabilities = {.writes = true},
                             .timeout = std::chrono::milliseconds(20)};
  base::Monitor<bool> began_;
  base::Monitor<bool> let_go_;
};

TEST_F(ToolsRunTest, WhatIsGivenUpOnIsNotTakenOver) {
  const auto tool = std::make_shared<Stubborn>(/*heeds=*/false);
  world_.registry.set("test", {tool}).value();
  tool::ToolRunner impatient(world_.clock, {.threads = 2, .grace = std::chrono::milliseconds(1)});
  EffectParts parts = world_.parts();
  EffectParts other{.store = parts.store,
                    .database = parts.database,
                    .scheduler = parts.scheduler,
                    .workspaces = parts.workspaces,
                    .models = parts.models,
                    .providers = parts.providers,
                    .tools = impatient,
                    .project = parts.project};
  test::EffectEnd end;
  const auto effects = make_effects(other);
  effects->start(
      world_.order(plan_, EffectKind::kTools,
                   data_of({edit("one", "ONE"), call("stubborn", "{}"), edit("two", "TWO")})),
      end.done());
  const auto ran = std::get<plan::ToolsRan>(end.wait());
  tool->let_go();
  EXPECT_TRUE(ran.outcomes[1].failed);
  EXPECT_TRUE(ran.outcomes[2].failed);
  EXPECT_EQ(world_.file_in(plan_, ran.tree, "a.txt"), "ONE\ntwo\n");
  EXPECT_EQ(world_.file_in(plan_, ran.tree, "late.txt"), "");
  EXPECT_EQ(world_.take_changes().size(), 1U);
  plan_.tree = ran.tree;
  EXPECT_EQ(world_.file_in(plan_, run({edit("two", "TWO")}).tree, "a.txt"), "ONE\nTWO\n");
}

TEST_F(ToolsRunTest, AStopEndsItAsStopped) {
  const auto tool = std::make_shared<Stubborn>(/*heeds=*/true);
  world_.registry.set("test", {tool}).value();
  base::StopSource stop;
  EffectOrder order = world_.order(plan_, EffectKind::kTools, data_of({call("stubborn", "{}")}));
  order.stop = stop.token();
  test::EffectEnd end;
  const auto effects = make_effects(world_.parts());
  effects->start(order, end.done());
  tool->wait_for_begin();
  stop.request_stop();
  EXPECT_EQ(std::get<plan::EffectStopped>(end.wait()).effect, order.id);
  EXPECT_EQ(end.times(), 1U);
  plan::State again = plan_;
  EXPECT_EQ(world_.workspaces.open(again, world_.lease(plan_.id)).value()->tree()->to_hex(),
            plan_.tree);
}

}  // namespace
}  // namespace clever::engine
