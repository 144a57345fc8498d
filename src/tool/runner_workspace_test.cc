#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/monitor.h"
#include "base/thread.h"
#include "support/tool_workspace.h"
#include "tool/internal/workspace_gate.h"
#include "tool/runner.h"
#include "tool/testing/test_tool.h"

namespace clever::tool {
namespace {

using internal::snapshot_of;
using internal::TestTool;
using model::ChangeOperation;
using std::chrono::milliseconds;
using test::path_of;
using test::ToolWorkspace;

TestTool::Function writes(std::string path, std::string content) {
  return [path, content](const CallContext& context, std::string_view) -> base::Result<ToolAnswer> {
    CLEVER_TRY(context.workspace->write(path_of(path), content));
    return ToolAnswer{.text = "did nothing at all"};
  };
}

class RunnerInWorkspace : public testing::Test {
 protected:
  std::vector<CallResult> run(const std::vector<std::shared_ptr<Tool>>& tools,
                              const std::vector<std::string>& names) {
    Turn turn{.tools = snapshot_of(tools), .workspace = files.workspace};
    turn.decision = model::DecisionId::parse("01ARZ3NDEKTSV4RRFFQ69G5FAV").value();
    for (const std::string& name : names) turn.calls.push_back({name, name, "{}"});
    return runner.run(turn);
  }

  ToolWorkspace files{{{"a.txt", "alpha\n"}}};
  base::SimulatedClock clock;
  ToolRunner runner{clock, {.threads = 4, .grace = milliseconds(0)}};
};

TEST_F(RunnerInWorkspace, RecordsOnlyRealChanges) {
  const auto results = run({TestTool::writing("w", writes("b.txt", "beta\n"))}, {"w"});
  ASSERT_EQ(results[0].changes.size(), 1U);
  const model::ChangeEntry& change = results[0].changes[0];
  EXPECT_EQ(change.path, "b.txt");
  EXPECT_EQ(change.operation, ChangeOperation::kCreate);
  EXPECT_EQ(change.after->hash, base::sha256("beta\n"));
  EXPECT_EQ(change.tool, "w");
  EXPECT_EQ(change.decision.to_string(), "01ARZ3NDEKTSV4RRFFQ69G5FAV");
  EXPECT_EQ(change.time, model::to_timestamp(1'700'000'000'000'000));
}

TEST_F(RunnerInWorkspace, AToolThatCallsItselfReadOnlyIsWatchedToo) {
  const auto results = run({TestTool::reading("r", writes("b.txt", "beta\n"))}, {"r"});
  ASSERT_EQ(results[0].changes.size(), 1U);
  EXPECT_EQ(results[0].changes[0].tool, "r");
  EXPECT_FALSE(results[0].checkpoint.has_value());
}

TEST_F(RunnerInWorkspace, OfCallsThatRanTogetherAllAreNamed) {
  const auto results =
      run({TestTool::reading("r", writes("b.txt", "beta\n")), TestTool::answering("s", "ok")},
          {"r", "s"});
  EXPECT_TRUE(results[0].changes.empty());
  ASSERT_EQ(results[1].changes.size(), 1U);
  EXPECT_EQ(results[1].changes[0].tool, "r, s");
}

TEST_F(RunnerInWorkspace, ACheckpointComesBeforeEachWritingCall) {
  const auto results =
      run({TestTool::writing("w", writes("b.txt", "1")),
           TestTool::writing("v", writes("b.txt", "2")), TestTool::answering("r", "")},
          {"w", "v", "r"});
  EXPECT_EQ(results[0].checkpoint, files.base->tree);
  EXPECT_NE(results[1].checkpoint, files.base->tree);
  EXPECT_FALSE(results[2].checkpoint.has_value());
  EXPECT_EQ(results[1].changes.at(0).before->hash, base::sha256("1"));
  files.workspace->restore(*results[1].checkpoint).value();
  EXPECT_EQ(files.files().at("b.txt"), "1");
}

TEST_F(RunnerInWorkspace, RecordsChangesOfAFailingTool) {
  const auto breaks = TestTool::writing(
      "w", [](const CallContext& context, std::string_view) -> base::Result<ToolAnswer> {
        CLEVER_TRY(context.workspace->remove(path_of("a.txt")));
        throw 1;
      });
  const auto results = run({breaks}, {"w"});
  EXPECT_EQ(results[0].outcome, Outcome::kFailed);
  ASSERT_EQ(results[0].changes.size(), 1U);
  EXPECT_EQ(results[0].changes[0].operation, ChangeOperation::kDelete);
}

TEST_F(RunnerInWorkspace, AMoveIsOneChange) {
  const auto moves = TestTool::writing(
      "m", [](const CallContext& context, std::string_view) -> base::Result<ToolAnswer> {
        CLEVER_TRY(context.workspace->move(path_of("a.txt"), path_of("b/a.txt")));
        return ToolAnswer{};
      });
  const auto results = run({moves}, {"m"});
  ASSERT_EQ(results[0].changes.size(), 1U);
  EXPECT_EQ(results[0].changes[0].operation, ChangeOperation::kMove);
  EXPECT_EQ(results[0].changes[0].from, "a.txt");
}

TEST_F(RunnerInWorkspace, AReadAfterAWriteSeesIt) {
  const auto reads = TestTool::reading(
      "r", [](const CallContext& context, std::string_view) -> base::Result<ToolAnswer> {
        CLEVER_ASSIGN(const auto file, context.workspace->read(path_of("b.txt")));
        return ToolAnswer{.text = file.content};
      });
  const auto results =
      run({TestTool::writing("w", writes("b.txt", "beta")), reads}, {"r", "w", "r"});
  EXPECT_EQ(results[0].outcome, Outcome::kFailed);
  EXPECT_EQ(results[2].answer.text, "beta");
}

TEST_F(RunnerInWorkspace, AHungWriterClosesItsWorkspace) {
  base::Monitor<bool> begun;
  base::Monitor<bool> released;
  const auto hangs = TestTool::writing(
      "h", [&](const CallContext& context, std::string_view) -> base::Result<ToolAnswer> {
        begun.update([](bool& b) { b = true; });
        (void)released.wait({}, base::Deadline::never(), [](bool r) { return r; });
        CLEVER_TRY(context.workspace->write(path_of("late"), "late"));
        return ToolAnswer{};
      });
  base::Thread time("time", [&](const base::StopToken& stop) {
    (void)begun.wait(stop, base::Deadline::never(), [](bool b) { return b; });
    clock.advance(std::chrono::hours(1));
  });
  // Ends before what the tool waits for does.
  ToolRunner leaving(clock, {.threads = 4, .grace = milliseconds(0)});
  Turn turn{.tools = snapshot_of({hangs, TestTool::answering("r", "here")}),
            .workspace = files.workspace,
            .calls = {{"1", "h", "{}"}, {"2", "r", "{}"}}};
  const auto results = leaving.run(turn);
  EXPECT_TRUE(results[0].abandoned);
  EXPECT_EQ(results[0].checkpoint, files.base->tree);
  EXPECT_EQ(results[1].outcome, Outcome::kFailed);
  EXPECT_THAT(results[1].answer.text, testing::HasSubstr("this workspace is closed"));

  turn.workspace = files.open("second");
  turn.calls = {{"3", "r", "{}"}};
  EXPECT_EQ(leaving.run(turn)[0].answer.text, "here");
  released.update([](bool& r) { r = true; });
}

TEST_F(RunnerInWorkspace, ACallWaitsForTheWorkspaceNoLongerThanItsTurn) {
  base::StopSource stop;
  base::Monitor<bool> inside;
  base::Monitor<bool> released;
  const auto holds = TestTool::writing("h", [&](const CallContext&, std::string_view) {
    inside.update([](bool& i) { i = true; });
    (void)released.wait({}, base::Deadline::never(), [](bool r) { return r; });
    return ToolAnswer{};
  });
  const auto tools = snapshot_of({holds, TestTool::answering("r", "here")});
  base::Thread other("other", [&](const base::StopToken&) {
    (void)runner.run({.tools = tools, .workspace = files.workspace, .calls = {{"1", "h", "{}"}}});
  });
  inside.wait({}, base::Deadline::never(), [](bool i) { return i; }).value();
  Turn turn{.tools = tools, .workspace = files.workspace, .calls = {{"2", "r", "{}"}}};
  turn.deadline = base::Deadline::after(clock, milliseconds(-1));
  const auto results = runner.run(turn);
  EXPECT_EQ(results[0].outcome, Outcome::kTimedOut);
  EXPECT_THAT(results[0].answer.text, testing::StartsWith("not run: "));
  released.update([](bool& r) { r = true; });
}

TEST(WorkspaceGate, AClosedWorkspaceIsForgottenWithIt) {
  internal::WorkspaceGate gate;
  const ToolWorkspace files({});
  auto first = files.open("first");
  gate.enter(first, {}, base::Deadline::never()).value().close();
  EXPECT_EQ(gate.enter(first, {}, base::Deadline::never()).error().code(),
            base::ErrorCode::kUnavailable);
  first.reset();
  EXPECT_TRUE(gate.enter(files.workspace, {}, base::Deadline::never()).ok());
  EXPECT_TRUE(gate.enter(files.workspace, {}, base::Deadline::never()).ok());
}

}  // namespace
}  // namespace clever::tool
