#include "engine/actor/agent_actor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/guarded.h"
#include "base/thread.h"
#include "support/confine_launcher.h"
#include "support/tool_workspace.h"

namespace clever::engine {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class AgentActorTest : public ::testing::Test {
 protected:
  AgentActorTest() {
    std::filesystem::create_directories(files_.folder / "home" / ".agent");
    world_ = {.home = files_.folder / "home",
              .own_home = files_.folder / "own",
              .environment = {"PATH=/usr/local/bin:/usr/bin:/bin", "AGENT_KEY=k1", "SECRET=s"}};
    commands_ = tool::CommandWorld::make(clock_, {.launcher = test::confine_launcher(),
                                                  .world = world_,
                                                  .project_root = files_.root(),
                                                  .shared_folder = files_.folder / "setup"})
                    .value();
  }

  static Actor shell(std::string script) {
    Actor actor{.name = "local/agent", .type = ActorType::kAgent};
    actor.program.command = {"sh", "-c", std::move(script), "sh", "${task}"};
    return actor;
  }
  static Actor acp(std::string mode) {
    Actor actor{.name = "local/agent", .type = ActorType::kAgent};
    actor.program.command = {test::fake_acp_agent_program(), std::move(mode)};
    actor.program.speaks_acp = true;
    return actor;
  }

  base::Result<ToolActorResult> work(const Actor& actor, const std::string& task = "tidy",
                                     const base::StopToken& stop = {}) {
    const AgentRunner runner({.clock = clock_,
                              .commands = commands_,
                              .launcher = test::confine_launcher(),
                              .world = world_,
                              .grace = std::chrono::milliseconds(500)});
    const AgentWatch watch{.on_text =
                               [this](const std::string& text, bool reasoning) {
                                 said_ += reasoning ? "(" + text + ")" : text;
                                 if (on_text_) on_text_();
                               },
                           .on_tool = [this](const std::string& title) { tools_.push_back(title); },
                           .allows = [](const AcpAsk& ask) { return ask.kind != "fetch"; }};
    return runner.work(actor, {}, task, *files_.workspace, watch, stop);
  }
  std::string failure(const Actor& actor) {
    const auto worked = work(actor);
    return worked.ok() ? "it worked: " + worked->summary : worked.error().message();
  }

  base::SystemClock clock_;
  test::ToolWorkspace files_{
      {{"a.txt", "one\n"}, {"d/e.txt", "e\n"}, {"link", "/tmp", git::FileMode::kLink}}};
  confine::WorldOptions world_{};
  std::shared_ptr<tool::CommandWorld> commands_;
  std::string said_;
  std::vector<std::string> tools_;
  std::function<void()> on_text_{};
};

// ---- by command --------------------------------------------------------------------------------

TEST_F(AgentActorTest, ACommandsEditsAreTheWorkspaces) {
  const auto worked = work(shell("echo \"$1\" > new.txt; rm a.txt; echo 'I did it'"), "be good");
  ASSERT_TRUE(worked.ok()) << worked.error().message();
  EXPECT_EQ(files_.files(), (std::map<std::string, std::string>{
                                {"d/e.txt", "e\n"}, {"link", "/tmp"}, {"new.txt", "be good\n"}}));
  EXPECT_EQ(worked->files, 2);
  EXPECT_EQ(worked->summary, "changed 2 files\nI did it\n");
  EXPECT_EQ(said_, "I did it\n");
  EXPECT_FALSE(std::filesystem::exists(files_.root() / "new.txt"));
}

TEST_F(AgentActorTest, ATaskOnStandardInput) {
  Actor actor = shell("cat > task.txt");
  actor.program.command.pop_back();
  actor.program.reads_task = true;
  ASSERT_TRUE(work(actor, std::string(300'000, 'x')).ok());
  EXPECT_EQ(files_.files().at("task.txt").size(), 300'000U);
}

TEST_F(AgentActorTest, ATaskThatIsTooLongForACommandLineIsRefused) {
  const auto worked = work(shell("true"), std::string(300'000, 'x'));
  ASSERT_FALSE(worked.ok());
  EXPECT_THAT(worked.error().message(), HasSubstr("write prompt: stdin"));
}

TEST_F(AgentActorTest, AnExitCodeOtherThanZeroIsAFailureWithTheEndOfItsOutput) {
  EXPECT_EQ(failure(shell("echo out; echo 'no login' >&2; exit 3")),
            "sh ended with exit code 3; it last wrote:\nno login\n");
  EXPECT_EQ(failure(shell("exit 1")), "sh ended with exit code 1; it wrote nothing");
}

TEST_F(AgentActorTest, TextsThatAreCutInTwoAreShownWhole) {
  ASSERT_TRUE(work(shell("printf 'a\\303'; sleep 0.05; printf '\\251b'")).ok());
  EXPECT_EQ(said_, "aéb");
}

TEST_F(AgentActorTest, OnlyAllowedVariablesAndFoldersAreSeen) {
  Actor actor = shell(
      "echo \"$AGENT_KEY-$SECRET\" > env.txt; ls ~ ~/.agent > ls.txt 2>&1; "
      "echo token > ~/.agent/token; ls ~ >> ls.txt");
  actor.program.environment = {"AGENT_KEY"};
  ASSERT_TRUE(work(shell("test -z \"$AGENT_KEY\" && ! ls ~/.agent")).ok());
  actor.program.folders = {"~/.agent"};
  ASSERT_TRUE(work(actor).ok());
  EXPECT_EQ(files_.files().at("env.txt"), "k1-\n");
  EXPECT_TRUE(std::filesystem::exists(files_.folder / "home" / ".agent" / "token"));
}

TEST_F(AgentActorTest, AFolderThatIsNotThereIsNamed) {
  Actor actor = shell("true");
  actor.program.folders = {"~/.other"};
  EXPECT_THAT(failure(actor),
              HasSubstr("~/.other, which does not exist; log in to the agent once"));
}

TEST_F(AgentActorTest, AProgramThatIsNotThereIsNamed) {
  Actor actor = shell("true");
  actor.program.command.front() = "no-such-agent";
  EXPECT_THAT(failure(actor), HasSubstr("no-such-agent"));
}

TEST_F(AgentActorTest, OneThatTakesTooLongIsKilled) {
  Actor actor = shell("echo busy; sleep 600");
  actor.program.timeout_s = 1;
  const auto worked = work(actor);
  ASSERT_FALSE(worked.ok());
  EXPECT_EQ(worked.error().code(), base::ErrorCode::kDeadlineExceeded);
  EXPECT_THAT(worked.error().message(), HasSubstr("it last wrote:\nbusy"));
}

TEST_F(AgentActorTest, AStopEndsItAtOnce) {
  base::StopSource stop;
  on_text_ = [&] { stop.request_stop(); };
  const auto worked = work(shell("echo busy; sleep 600"), "t", stop.token());
  ASSERT_FALSE(worked.ok());
  EXPECT_EQ(worked.error().code(), base::ErrorCode::kCancelled);
}

TEST_F(AgentActorTest, NothingIsRunWithoutAWorld) {
  const AgentRunner runner({.clock = clock_});
  const auto worked = runner.work(shell("true"), {}, "t", *files_.workspace, {}, {});
  EXPECT_THAT(worked.error().message(), HasSubstr("not possible here"));
}

// ---- over the protocol -------------------------------------------------------------------------

TEST_F(AgentActorTest, AnAcpAgentReadsWritesAndAsks) {
  const auto worked = work(acp("good"), "and two\n");
  ASSERT_TRUE(worked.ok()) << worked.error().message();
  EXPECT_EQ(files_.files().at("sub/b.txt"), "one\nand two\n");
  EXPECT_EQ(files_.files().at("c.txt"), "seen one\n");
  EXPECT_THAT(said_, HasSubstr("(hm)I begin. inside yes, outside no, fetch no; seen one"));
  EXPECT_THAT(tools_, ElementsAre("Edit a.txt"));
  EXPECT_THAT(worked->summary, HasSubstr("changed 2 files\ninside yes"));
}

TEST_F(AgentActorTest, NoiseBeforeTheFirstMessageDoesNoHarm) {
  EXPECT_TRUE(work(acp("noise")).ok());
}

TEST_F(AgentActorTest, WhatLiesOutsideIsRefused) {
  const auto worked = work(acp("outside"));
  ASSERT_TRUE(worked.ok()) << worked.error().message();
  EXPECT_EQ(said_, "refused refused refused refused refused");
  EXPECT_FALSE(std::filesystem::exists(files_.root().parent_path() / "beside.txt"));
}

TEST_F(AgentActorTest, AnAgentThatDiesIsAFailure) {
  EXPECT_THAT(failure(acp("die")),
              HasSubstr("ended (exit code 7) before it answered session/prompt"));
}

TEST_F(AgentActorTest, AnAgentThatNeverAnswersIsEnded) {
  for (const std::string mode : {"silent", "hang"}) {
    Actor actor = acp(mode);
    actor.program.timeout_s = 1;
    const auto worked = work(actor);
    ASSERT_FALSE(worked.ok());
    EXPECT_EQ(worked.error().code(), base::ErrorCode::kDeadlineExceeded);
    EXPECT_THAT(worked.error().message(),
                HasSubstr(mode == "silent" ? "it had not answered initialize"
                                           : "it had not answered session/prompt"));
  }
}

TEST_F(AgentActorTest, AnAgentThatFloodsIsEnded) {
  EXPECT_THAT(failure(acp("junk")), HasSubstr("does not speak the Agent Client Protocol"));
  EXPECT_THAT(failure(acp("long")), HasSubstr("a message of more than 32 MiB"));
}

TEST_F(AgentActorTest, AnAgentThatTalksWithoutEndIsEndedAtItsDeadline) {
  Actor actor = acp("updates");
  actor.program.timeout_s = 1;
  const auto worked = work(actor);
  ASSERT_FALSE(worked.ok());
}

TEST_F(AgentActorTest, WhatAnAgentRefusesIsToldWithItsReason) {
  EXPECT_THAT(failure(acp("auth")), HasSubstr("log in to it yourself once"));
  EXPECT_THAT(failure(acp("version")), HasSubstr("speaks version 2"));
  EXPECT_THAT(failure(acp("refuse")), HasSubstr("refused the task"));
  EXPECT_THAT(failure(acp("tired")), HasSubstr("(max_tokens)"));
}

TEST_F(AgentActorTest, AStopIsToldToTheAgent) {
  base::StopSource stop;
  on_text_ = [&] { stop.request_stop(); };
  const auto worked = work(acp("cancel"), "t", stop.token());
  ASSERT_FALSE(worked.ok());
  EXPECT_EQ(worked.error().code(), base::ErrorCode::kCancelled);
  EXPECT_THAT(worked.error().message(), HasSubstr("the agent was stopped"));
}

TEST_F(AgentActorTest, AnAgentThatDoesNotHeedAStopIsKilled) {
  base::StopSource stop;
  on_text_ = [&] { stop.request_stop(); };
  Actor actor = acp("updates");
  const auto worked = work(actor, "t", stop.token());
  ASSERT_FALSE(worked.ok());
  EXPECT_EQ(worked.error().code(), base::ErrorCode::kCancelled);
  EXPECT_THAT(worked.error().message(), Not(HasSubstr("the agent was stopped")));
}

}  // namespace
}  // namespace clever::engine
