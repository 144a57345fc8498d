#include "engine/actor/agent_actor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/guarded.h"
#include "base/thread.h"
#include "io/file.h"
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

  // Told "start ID TASK" first, and "resume ID TASK" then.
  static Actor session_shell(std::string script) {
    Actor actor = shell(std::move(script));
    actor.program.command.insert(actor.program.command.end() - 1, "${session}");
    actor.program.session_words = {"start", "${session}"};
    actor.program.resume_words = {"resume", "${session}"};
    return actor;
  }
  static Actor stream_shell(const std::string& lines) {
    Actor actor = shell("cat <<'END'\n" + lines + "\nEND\n");
    actor.program.stream = AgentStreamFormat::kClaude;
    return actor;
  }
  static AgentLogin login() {
    return {.file = "~/.agent/auth.json",
            .fields = {"token", "deep.a"},
            .tokens = {"token"},
            .renewed = {},
            .account = {"deep.a"}};
  }
  void write_home(const std::string& name, const std::string& content) const {
    const std::filesystem::path file = world_.home / name;
    std::filesystem::create_directories(file.parent_path());
    ASSERT_TRUE(io::write_file_atomically(file, content).ok());
  }
  static std::string read(const std::filesystem::path& file) {
    return io::read_file(file).value_or("(nothing)");
  }
  std::string read_home(const std::string& name) const { return read(world_.home / name); }

  base::Result<AgentResult> work(const Actor& actor, const std::string& task = "tidy",
                                 const base::StopToken& stop = {}) {
    const AgentRunner runner({.clock = clock_,
                              .commands = commands_,
                              .launcher = test::confine_launcher(),
                              .world = world_,
                              .grace = std::chrono::milliseconds(500),
                              .silence = silence_});
    const AgentWatch watch{
        .on_text =
            [this](const std::string& text, bool reasoning) {
              said_ += reasoning ? "(" + text + ")" : text;
              if (on_text_) on_text_();
            },
        .on_tool = [this](const AgentTool& tool) { tools_.push_back(tool.title); },
        .judge = [this](const AcpAsk& ask) -> AcpVerdict {
          if (!ask.outside.empty()) return {model::Verdict::kDeny, "outside"};
          if (!ask.commands.empty()) return {consent_, "a rule asks"};
          const bool fetches = std::ranges::find(ask.kinds, "fetch") != ask.kinds.end();
          return {fetches ? model::Verdict::kDeny : model::Verdict::kAllow, "no network"};
        },
        .on_usage = [this](const AgentUsage& usage, const std::string&) { usage_ = usage; },
        .may_go_on = [this] { return may_go_on_; },
        .on_silence = [this](const std::string& sentence) { news_ += sentence; },
        .on_login = [this](const std::string& sentence) { news_ += sentence; },
        .on_secret = [this](const std::string& secret) { learnt_.push_back(secret); }};
    AgentOrder order{.actor = actor, .task = task, .model = model_, .servers = servers_};
    if (has_home_) order.place = place_;
    return runner.work(order, *files_.workspace, watch, stop);
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
  AgentUsage usage_{};
  bool may_go_on_ = true;
  std::string news_;
  std::vector<std::string> learnt_;
  std::chrono::milliseconds silence_{std::chrono::minutes{2}};
  std::string model_;
  std::vector<McpServer> servers_;
  model::Verdict consent_ = model::Verdict::kAsk;
  // Of a plan.
  bool has_home_ = false;
  AgentPlace place_{.folder = files_.folder / "plan" / "agents",
                    .epoch = 1,
                    .locks = files_.folder / "own" / "logins",
                    .step = "s",
                    .tree = "t0",
                    .prompts = 1,
                    .follow_up = [](const AgentSession& session) {
                      return session.tree.empty() ? "go on" : "more";
                    }};
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
            "sh ended with exit code 3; it last wrote:\nno login");
  EXPECT_EQ(failure(shell("exit 1")), "sh ended with exit code 1; it wrote nothing");
}

TEST_F(AgentActorTest, TextsThatAreCutInTwoAreShownWhole) {
  ASSERT_TRUE(work(shell("printf 'a\\303'; sleep 0.05; printf '\\251b'")).ok());
  EXPECT_EQ(said_, "aéb");
}

TEST_F(AgentActorTest, OnlyAllowedVariablesAreSeen) {
  Actor actor = shell("echo \"$AGENT_KEY-$SECRET-$FIXED\" > env.txt");
  ASSERT_TRUE(work(shell("test -z \"$AGENT_KEY\" && ! ls ~/.agent")).ok());
  actor.program.environment = {"AGENT_KEY"};
  actor.program.set = {{"FIXED", "1"}};
  ASSERT_TRUE(work(actor).ok());
  EXPECT_EQ(files_.files().at("env.txt"), "k1--1\n");
}

// ---- the home ----------------------------------------------------------------------------------

TEST_F(AgentActorTest, WhatAnAgentWritesToItsHomeIsNeverThePersons) {
  write_home(".agent/settings.json", "{}");
  Actor actor = shell(
      "echo '{\"hooks\": \"evil\"}' > ~/.agent/settings.json; echo x >> ~/.bashrc; "
      "cat ~/.agent/settings.json > seen.txt");
  actor.program.folders = {"~/.agent"};
  has_home_ = true;
  ASSERT_TRUE(work(actor).ok());
  EXPECT_EQ(read_home(".agent/settings.json"), "{}");
  EXPECT_FALSE(std::filesystem::exists(world_.home / ".bashrc"));
  EXPECT_EQ(files_.files().at("seen.txt"), "{\"hooks\": \"evil\"}\n");
}

TEST_F(AgentActorTest, ItsHomeIsThereAgainForTheNextRunAndSettingsAreOurs) {
  Actor actor = shell(
      "cat ~/.agent/settings.json > seen.txt; echo evil > ~/.agent/settings.json; "
      "echo kept >> ~/.agent/notes; cat ~/.agent/notes >> seen.txt");
  actor.program.settings = {{.file = "~/.agent/settings.json", .content = "ours\n"}};
  has_home_ = true;
  ASSERT_TRUE(work(actor).ok());
  ASSERT_TRUE(work(actor).ok());
  EXPECT_EQ(files_.files().at("seen.txt"), "ours\nkept\nkept\n");
  // A new owner has a copy of it.
  place_.epoch = 3;
  ASSERT_TRUE(work(actor).ok());
  EXPECT_EQ(files_.files().at("seen.txt"), "ours\nkept\nkept\nkept\n");
  EXPECT_EQ(read(place_.folder / "1" / "home" / ".agent" / "notes"), "kept\nkept\n");
}

TEST_F(AgentActorTest, AnAgentGetsTheNamedFieldsOfALoginAndNothingElse) {
  write_home(".agent/auth.json",
             R"({"token":"tok-abcdefghijkl","hook":"evil","deep":{"a":1,"b":2}})");
  Actor actor = shell("cat ~/.agent/auth.json > auth.json");
  actor.program.logins = {login()};
  has_home_ = true;
  ASSERT_TRUE(work(actor).ok());
  EXPECT_EQ(files_.files().at("auth.json"), R"({"token":"tok-abcdefghijkl","deep":{"a":1}})");
  EXPECT_THAT(learnt_, ElementsAre("tok-abcdefghijkl"));
  EXPECT_EQ(read(place_.folder / "1" / "home" / ".agent" / "auth.json"),
            R"({"token":null,"deep":{"a":1}})");
}

TEST_F(AgentActorTest, ATokenThatAnAgentRenewedGoesBack) {
  write_home(".agent/auth.json", R"({"token":"tok-abcdefghijkl","deep":{"a":1,"b":2}})");
  Actor actor = shell(
      R"(echo '{"token":"tok-bcdefghijklm","deep":{"a":1},"hook":"evil"}' > ~/.agent/auth.json)");
  actor.program.logins = {login()};
  has_home_ = true;
  ASSERT_TRUE(work(actor).ok());
  EXPECT_EQ(read_home(".agent/auth.json"),
            "{\"token\":\"tok-bcdefghijklm\",\"deep\":{\"a\":1,\"b\":2}}\n");
  EXPECT_THAT(news_, HasSubstr("renewed its login: ~/.agent/auth.json"));
}

TEST_F(AgentActorTest, ALoginOfAnotherAccountOrFormDoesNotGoBack) {
  const std::string theirs = R"({"token":"tok-abcdefghijkl","deep":{"a":1,"b":2}})";
  for (const std::string made :
       {R"({"token":"tok-bcdefghijklm","deep":{"a":7}})",
        R"({"token":"key_bcdefghijklm","deep":{"a":1}})", R"({"token":"two words","deep":{"a":1}})",
        R"({"deep":{"a":1}})"}) {
    write_home(".agent/auth.json", theirs);
    news_.clear();
    Actor actor = shell("echo '" + made + "' > ~/.agent/auth.json");
    actor.program.logins = {login()};
    has_home_ = true;
    ASSERT_TRUE(work(actor).ok());
    EXPECT_EQ(read_home(".agent/auth.json"), theirs) << made;
    EXPECT_THAT(news_, HasSubstr("was not taken over")) << made;
  }
}

TEST_F(AgentActorTest, ALinkInItsHomeLeadsNowhere) {
  write_home(".agent/auth.json", R"({"token":"tok-abcdefghijkl"})");
  write_home("private.txt", "mine");
  Actor actor = shell("rm -rf ~/.agent; ln -s " + (world_.home / "private").string() + " ~/.agent");
  actor.program.logins = {login()};
  actor.program.settings = {{.file = "~/.agent/settings.json", .content = "ours"}};
  has_home_ = true;
  ASSERT_TRUE(work(actor).ok());
  ASSERT_TRUE(work(actor).ok());
  EXPECT_FALSE(std::filesystem::exists(world_.home / "private"));
}

// ---- sessions ----------------------------------------------------------------------------------

TEST_F(AgentActorTest, ASessionContinuesWithTheNextMessage) {
  Actor actor = session_shell("echo \"$*\" >> said.txt");
  has_home_ = true;
  ASSERT_TRUE(work(actor).ok());
  ASSERT_TRUE(work(actor).ok());
  EXPECT_THAT(files_.files().at("said.txt"),
              testing::MatchesRegex("start [0-9a-f-]+ tidy\nresume [0-9a-f-]+ more\n"));
}

TEST_F(AgentActorTest, WhatWasCutOffContinuesWithItsFilesAndItsSession) {
  Actor actor = session_shell(
      "case $1 in start) echo one > one.txt; mkdir ignored; exit 1;; "
      "resume) cat one.txt > two.txt; echo \"$3\" >> two.txt;; esac");
  has_home_ = true;
  EXPECT_THAT(failure(actor), HasSubstr("exit code 1"));
  // Another owner's.
  files_.workspace = files_.open("again");
  place_.epoch = 2;
  const auto worked = work(actor);
  ASSERT_TRUE(worked.ok()) << worked.error().message();
  EXPECT_EQ(files_.files().at("two.txt"), "one\ngo on\n");
}

TEST_F(AgentActorTest, TheModelIsChosenAsTheProgramSays) {
  Actor actor = shell("echo \"$1 $2\" > words.txt");
  actor.program.command = {"sh", "-c", "echo \"$*\" > words.txt", "sh", "${model}", "${task}"};
  actor.program.model_words = {"--model", "${model}"};
  ASSERT_TRUE(work(actor).ok());
  EXPECT_EQ(files_.files().at("words.txt"), "tidy\n");
  model_ = "large";
  ASSERT_TRUE(work(actor).ok());
  EXPECT_EQ(files_.files().at("words.txt"), "--model large tidy\n");
}

// ---- what it says ------------------------------------------------------------------------------

TEST_F(AgentActorTest, AStreamIsShownAsWordsToolsAndUsage) {
  Actor actor = stream_shell(
      R"({"type":"assistant","message":{"id":"m1","content":[{"type":"text","text":"I look."},{"type":"tool_use","name":"Bash","input":{"command":"ls"}}],"usage":{"input_tokens":10,"output_tokens":2}}})"
      "\n"
      R"({"type":"result","subtype":"success","is_error":false,"result":"All done.","total_cost_usd":0.5,"usage":{"input_tokens":10,"output_tokens":5}})");
  const auto worked = work(actor);
  ASSERT_TRUE(worked.ok()) << worked.error().message();
  EXPECT_EQ(said_, "I look.\n");
  EXPECT_THAT(tools_, ElementsAre("Bash ls"));
  EXPECT_EQ(usage_,
            (AgentUsage{.input_tokens = 10, .output_tokens = 5, .cost = 500'000, .priced = true}));
  EXPECT_EQ(worked->summary, "changed 0 files\nAll done.");
}

TEST_F(AgentActorTest, AnAgentThatCountsItsWholeSessionIsChargedForThisRun) {
  Actor actor = shell(
      "echo x >> runs.txt; n=$(wc -l < runs.txt); "
      "echo '{\"type\":\"thread.started\",\"thread_id\":\"t1\"}'; "
      "echo '{\"type\":\"turn.completed\",\"usage\":{\"input_tokens\":'$((n * "
      "100))',\"output_tokens\":'$n'}}'");
  actor.program.stream = AgentStreamFormat::kCodex;
  actor.program.resume_words = {"resume", "${session}"};
  has_home_ = true;
  ASSERT_TRUE(work(actor).ok());
  EXPECT_EQ(usage_.input_tokens, 100);
  ASSERT_TRUE(work(actor).ok());
  EXPECT_EQ(usage_.input_tokens, 100);
  EXPECT_EQ(usage_.output_tokens, 1);
}

TEST_F(AgentActorTest, AnErrorWithExitCodeZeroIsOneAndIsNotTriedAgain) {
  const auto worked = work(stream_shell(
      R"({"type":"result","subtype":"success","is_error":true,"result":"Not logged in · Please run /login"})"));
  ASSERT_FALSE(worked.ok());
  EXPECT_EQ(worked.error().code(), base::ErrorCode::kPermissionDenied);
  EXPECT_THAT(worked.error().message(), HasSubstr("Not logged in: log in to it yourself"));
}

TEST_F(AgentActorTest, OneThatIsNotAllowedToContinueIsEndedWithWhatItDid) {
  Actor actor = stream_shell("");
  actor.program.command = {"sh", "-c", "echo half > half.txt; sleep 600", "sh", "${task}"};
  may_go_on_ = false;
  const auto worked = work(actor);
  ASSERT_TRUE(worked.ok()) << worked.error().message();
  EXPECT_TRUE(worked->cut);
  EXPECT_EQ(files_.files().at("half.txt"), "half\n");
}

TEST_F(AgentActorTest, SilenceIsSaid) {
  silence_ = std::chrono::milliseconds(50);
  ASSERT_TRUE(work(shell("sleep 0.4")).ok());
  EXPECT_THAT(news_, HasSubstr("sh has written nothing for"));
}

TEST_F(AgentActorTest, AFolderThatIsNotThereIsNamed) {
  Actor actor = shell("true");
  actor.program.folders = {"~/.other"};
  EXPECT_THAT(failure(actor),
              HasSubstr("~/.other, which does not exist: create it, or remove it from folders"));
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
  const Actor actor = shell("true");
  const auto worked = runner.work({.actor = actor, .task = "t"}, *files_.workspace, {}, {});
  EXPECT_THAT(worked.error().message(), HasSubstr("programs cannot run here"));
}

// ---- over the protocol -------------------------------------------------------------------------

TEST_F(AgentActorTest, AnAcpAgentWorksAndAsks) {
  const auto worked = work(acp("good"), "and two\n");
  ASSERT_TRUE(worked.ok()) << worked.error().message();
  EXPECT_EQ(files_.files().at("c.txt"), "one and two\n");
  EXPECT_THAT(said_, HasSubstr("(hm)I begin. inside yes, outside no, fetch no"));
  EXPECT_THAT(tools_, ElementsAre("step 1/2: Edit", "Edit a.txt"));
  EXPECT_THAT(worked->summary, HasSubstr("changed 1 file\ninside yes"));
}

TEST_F(AgentActorTest, ACallThatAPersonDecidesEndsTheTurnAndIsMadeInTheSameSession) {
  has_home_ = true;
  auto worked = work(acp("asks"), "Push it");
  ASSERT_TRUE(worked.ok()) << worked.error().message();
  ASSERT_EQ(worked->waiting.size(), 1U);
  EXPECT_THAT(worked->waiting[0].ask.commands, ElementsAre("git push origin"));
  EXPECT_EQ(worked->waiting[0].why, "a rule asks");
  EXPECT_EQ(files_.files().at("log.txt"), "first: Push it\n");
  consent_ = model::Verdict::kAllow;
  worked = work(acp("asks"), "Push it");
  ASSERT_TRUE(worked.ok()) << worked.error().message();
  EXPECT_TRUE(worked->waiting.empty());
  EXPECT_EQ(files_.files().at("log.txt"), "first: Push it\nagain: more\n");
  EXPECT_EQ(files_.files().at("pushed.txt"), "pushed\n");
  EXPECT_THAT(said_, Not(HasSubstr("said before")));
}

TEST_F(AgentActorTest, ModelModeServersAndUsageGoOverTheProtocol) {
  model_ = "Small";
  servers_ = {{.name = "files", .argv = {"serve", "-v"}, .environment = {{"A", "b"}}},
              {.name = "net", .url = "https://example.org/mcp"}};
  Actor actor = acp("choices");
  actor.program.acp_mode = "ask";
  const auto worked = work(actor);
  ASSERT_TRUE(worked.ok()) << worked.error().message();
  EXPECT_THAT(said_, HasSubstr("session/set_config_option {\"configId\":\"the-model\","
                               "\"sessionId\":\"s1\",\"value\":\"m-small\"}"));
  EXPECT_THAT(said_, HasSubstr("session/set_mode {\"modeId\":\"ask\",\"sessionId\":\"s1\"}"));
  // One that the agent cannot reach is left out.
  EXPECT_THAT(said_, HasSubstr("[{\"args\":[\"-v\"],\"command\":\"serve\",\"env\":[{\"name\":"
                               "\"A\",\"value\":\"b\"}],\"name\":\"files\"}]"));
  EXPECT_EQ(usage_.input_tokens, 30);
  EXPECT_EQ(usage_.cost, 250'000);
  model_ = "huge";
  EXPECT_THAT(failure(actor), HasSubstr("offers no model \"huge\"; there are m-big, m-small"));
}

TEST_F(AgentActorTest, NoiseBeforeTheFirstMessageDoesNoHarm) {
  EXPECT_TRUE(work(acp("noise")).ok());
}

TEST_F(AgentActorTest, FilesAndTerminalsOfTheClientAreNotOffered) {
  const auto worked = work(acp("outside"));
  ASSERT_TRUE(worked.ok()) << worked.error().message();
  EXPECT_EQ(said_, "refused refused refused ");
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

TEST_F(AgentActorTest, ARefusalOfTheAgentIsReportedWithItsReason) {
  EXPECT_THAT(failure(acp("auth")), HasSubstr("Not logged in: log in to it yourself"));
  EXPECT_THAT(failure(acp("version")), HasSubstr("speaks version 2"));
  EXPECT_THAT(failure(acp("refuse")), HasSubstr("refused the task"));
  EXPECT_THAT(failure(acp("tired")), HasSubstr("(max_tokens)"));
}

TEST_F(AgentActorTest, AStopReachesTheAgent) {
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
