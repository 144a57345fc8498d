#include "tool/command_world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/guarded.h"
#include "support/confine_launcher.h"
#include "support/tool_workspace.h"
#include "tool/builtin_tools.h"
#include "tool/custom_tools.h"
#include "tool/runner.h"
#include "tool/testing/test_tool.h"

namespace clever::tool {
namespace {

using test::path_of;
using test::ToolWorkspace;
using testing::HasSubstr;
using testing::StartsWith;

class Commands : public testing::Test {
 protected:
  CommandOptions options() const {
    return {.launcher = test::confine_launcher(),
            .world = {.home = files.folder / "home",
                      .own_home = files.folder / "own",
                      .environment = {"PATH=/usr/bin:/bin", "SECRET_TOKEN=abcdefgh"}},
            .project_root = files.root(),
            .shared_folder = files.folder / "shared"};
  }
  void use(CommandOptions chosen) {
    auto world = CommandWorld::make(clock, std::move(chosen));
    ASSERT_TRUE(world.ok()) << world.error().to_string();
    commands = *world;
    tools = internal::snapshot_of(builtin_tools({.commands = commands}));
  }
  CallResult run(std::string arguments) { return call("run_command", std::move(arguments)); }
  CallResult call(const std::string& name, std::string arguments) {
    return runner
        .run({.tools = tools,
              .workspace = files.workspace,
              .calls = {{"1", name, std::move(arguments)}}})
        .at(0);
  }
  CallResult custom(const std::string& yaml, std::string arguments) {
    auto definitions = parse_custom_tools(yaml, "t.yaml").value();
    const std::string name = definitions.at(0).spec.name;
    tools = internal::snapshot_of({make_custom_tool(definitions.at(0), commands)});
    return call(name, std::move(arguments));
  }

  ToolWorkspace files{
      {{"a.txt", "alpha\n"}, {"sub/b.txt", "beta\n"}, {".gitignore", "node_modules/\n"}}};
  base::SystemClock clock;
  std::shared_ptr<CommandWorld> commands;
  std::shared_ptr<const ToolSnapshot> tools;
  ToolRunner runner{clock, {.threads = 2}};
};

TEST_F(Commands, ACommandSeesTheWorkspace) {
  use(options());
  files.workspace->write(path_of("new"), "written\n").value();
  const CallResult result = run(R"({"command":"cat a.txt new; echo oops >&2; exit 3"})");
  EXPECT_TRUE(result.answer.failed);
  EXPECT_EQ(result.answer.text, "exit code 3\n--- stdout\nalpha\nwritten\n--- stderr\noops\n");
  EXPECT_EQ(result.answer.structured, R"({"changed_files":0,"exit_code":3})");
}

TEST_F(Commands, AWorldThatIsMadeWhenNeededRunsThemAll) {
  tools = internal::snapshot_of(
      builtin_tools({.commands = CommandWorld::when_needed(clock, options())}));
  EXPECT_EQ(run(R"({"command":"cat a.txt"})").answer.structured,
            R"({"changed_files":0,"exit_code":0})");
  EXPECT_FALSE(run(R"({"command":"cat sub/b.txt"})").answer.failed);
}

TEST_F(Commands, AWorldThatCannotBeMadeSaysSoAtEachCommand) {
  CommandOptions wrong = options();
  wrong.project_root = files.folder / "nowhere";
  const auto world = CommandWorld::when_needed(clock, wrong);
  for (int i = 0; i < 2; ++i) {
    EXPECT_FALSE(
        world->run(*files.workspace, {.argv = {"true"}}, {}, base::Deadline::never()).ok());
  }
}

TEST_F(Commands, TakesOverChangesOfACommand) {
  use(options());
  const CallResult result = run(
      R"({"command":"echo new > n.txt; rm a.txt; mv sub/b.txt c.txt; mkdir -p node_modules; echo x > node_modules/x"})");
  EXPECT_FALSE(result.answer.failed) << result.answer.text;
  EXPECT_THAT(result.answer.text, HasSubstr("--- changed files\nD a.txt\nA c.txt\nA n.txt\n"));
  EXPECT_EQ(files.files().at("n.txt"), "new\n");
  EXPECT_FALSE(files.files().contains("node_modules/x"));
  ASSERT_EQ(result.changes.size(), 3U);
  EXPECT_EQ(result.changes[1].operation, model::ChangeOperation::kMove);
  EXPECT_EQ(result.changes[1].from, "sub/b.txt");
  EXPECT_TRUE(result.checkpoint.has_value());
  EXPECT_TRUE(std::filesystem::is_empty(files.root()));
}

TEST_F(Commands, TheEnvironmentIsClean) {
  use(options());
  const std::string text = run(R"({"command":"env"})").answer.text;
  EXPECT_THAT(text, HasSubstr("PATH="));
  EXPECT_EQ(text.find("SECRET_TOKEN"), std::string::npos);
}

TEST_F(Commands, TheFolderToRunIn) {
  use(options());
  EXPECT_THAT(run(R"({"command":"cat b.txt","cwd":"sub"})").answer.text, HasSubstr("beta"));
  EXPECT_THAT(run(R"({"command":"cat a.txt","cwd":"."})").answer.text, HasSubstr("alpha"));
  EXPECT_THAT(run(R"({"command":"pwd","cwd":")" + files.root().string() + R"("})").answer.text,
              HasSubstr(files.root().string()));
  for (const std::string cwd : {"..", "/etc", "../outside", ".git"}) {
    const CallResult result = run(R"({"command":"touch evil","cwd":")" + cwd + "\"}");
    EXPECT_TRUE(result.answer.failed) << cwd;
    EXPECT_TRUE(result.changes.empty());
  }
  EXPECT_TRUE(run(R"({"command":"pwd","cwd":"none"})").answer.failed);
}

TEST_F(Commands, ACommandThatDoesNotEndIsEnded) {
  use(options());
  const CallResult result =
      run(R"({"command":"echo x > begun; echo words; sleep 1000","timeout_s":1})");
  EXPECT_TRUE(result.answer.failed);
  EXPECT_FALSE(result.abandoned);
  EXPECT_THAT(result.answer.text, HasSubstr("words"));
  EXPECT_THAT(result.answer.text, HasSubstr("--- changed files\nA begun\n"));
  EXPECT_EQ(result.changes.size(), 1U);
}

TEST_F(Commands, NothingOutsideCanBeWritten) {
  use(options());
  const std::filesystem::path outside = files.folder.write("outside", "kept");
  (void)run(R"({"command":"echo evil > )" + outside.string() + R"("})");
  EXPECT_EQ(files.folder.read("outside"), "kept");
}

TEST_F(Commands, WithoutConfinementNothingRuns) {
  CommandOptions without = options();
  without.features = {{.name = "mount namespaces", .required = true, .detail = "refused"}};
  use(without);
  const CallResult result = run(R"({"command":"touch x"})");
  EXPECT_TRUE(result.answer.failed);
  EXPECT_THAT(result.answer.text,
              StartsWith("the command was not run: this machine cannot confine commands: mount "
                         "namespaces: refused"));
  EXPECT_THAT(result.answer.text, HasSubstr("--unconfined"));
  EXPECT_TRUE(result.changes.empty());
}

TEST_F(Commands, APersonMayAllowItUnconfined) {
  CommandOptions unconfined = options();
  unconfined.unconfined = true;
  unconfined.features = {{.name = "mount namespaces", .required = true}};
  use(unconfined);
  const CallResult result = run(R"({"command":"cat b.txt; echo y > c.txt","cwd":"sub"})");
  EXPECT_FALSE(result.answer.failed) << result.answer.text;
  EXPECT_THAT(result.answer.text, HasSubstr("beta\n"));
  EXPECT_EQ(files.files().at("sub/c.txt"), "y\n");
  EXPECT_TRUE(std::filesystem::is_empty(files.root()));
}

TEST_F(Commands, LongOutputKeepsItsEnds) {
  use(options());
  const CallResult result =
      run(R"({"command":"echo first; seq 1 100000; echo last; seq 1 100000 >&2"})");
  EXPECT_TRUE(result.answer.truncated);
  EXPECT_THAT(result.answer.text, StartsWith("exit code 0\n--- stdout\nfirst\n"));
  EXPECT_THAT(result.answer.text, HasSubstr("\nlast\n--- stderr\n1\n"));
  EXPECT_THAT(result.answer.text, HasSubstr("bytes cut …]"));
}

TEST_F(Commands, SetupRunsOnceForEachBase) {
  CommandOptions with_setup = options();
  with_setup.setup =
      "mkdir node_modules && echo made > node_modules/lib && echo changed > a.txt && rm sub/b.txt";
  use(with_setup);
  const CallResult first = run(R"({"command":"cat node_modules/lib a.txt sub/b.txt"})");
  EXPECT_EQ(first.answer.text, "exit code 0\n--- stdout\nmade\nalpha\nbeta\n");
  EXPECT_TRUE(first.changes.empty());

  files.workspace = files.open("second");
  const CallResult second =
      run(R"({"command":"cat node_modules/lib; echo mine > node_modules/lib"})");
  EXPECT_EQ(second.answer.text, "exit code 0\n--- stdout\nmade\n");
  files.workspace = files.open("third");
  EXPECT_THAT(run(R"({"command":"cat node_modules/lib"})").answer.text, HasSubstr("made"));
}

TEST_F(Commands, ReportsAFailedSetupAndTriesItAgain) {
  CommandOptions failing = options();
  failing.setup = "echo no network >&2; exit 7";
  use(failing);
  for (int i = 0; i < 2; ++i) {
    const CallResult result = run(R"({"command":"true"})");
    EXPECT_TRUE(result.answer.failed);
    EXPECT_EQ(result.answer.text,
              "the command was not run: sandbox.setup failed with exit code 7: no network\n");
  }
}

TEST_F(Commands, SetupWithoutOverlays) {
  CommandOptions copied = options();
  copied.unconfined = true;
  copied.setup = "mkdir -p node_modules && echo made >> node_modules/lib";
  use(copied);
  EXPECT_THAT(run(R"({"command":"cat node_modules/lib"})").answer.text, HasSubstr("made\n"));
  EXPECT_EQ(run(R"({"command":"cat node_modules/lib"})").answer.text,
            "exit code 0\n--- stdout\nmade\n");
}

constexpr std::string_view kHead = "name: t\ndescription: d\ninput_schema: {type: object}\n";

TEST_F(Commands, ACustomToolGetsItsInputAndAnswersInJson) {
  use(options());
  const CallResult result = custom(std::string(kHead) +
                                       "output_schema: {type: object}\n"
                                       "command: [cat]\n",
                                   R"({"n": 1})");
  EXPECT_EQ(result.answer.structured, R"({"n":1})");
  EXPECT_EQ(result.answer.text, "{\"n\":1}\n");
  EXPECT_FALSE(result.answer.failed);
}

TEST_F(Commands, ACustomToolMayAnswerInWords) {
  use(options());
  const CallResult result =
      custom(std::string(kHead) + "command: echo words; echo noise >&2; echo x > made\n", "{}");
  EXPECT_EQ(result.answer.text, "words\n");
  EXPECT_EQ(result.answer.structured, "");
  EXPECT_EQ(result.changes.size(), 1U);
  EXPECT_EQ(custom(std::string(kHead) + "command: 'true'\n", "{}").answer.text,
            "done, without output\n");
}

TEST_F(Commands, ACustomToolThatFails) {
  use(options());
  const CallResult failed = custom(std::string(kHead) + "command: echo why >&2; exit 2\n", "{}");
  EXPECT_TRUE(failed.answer.failed);
  EXPECT_EQ(failed.answer.text, "exit code 2\n--- stderr\nwhy\n");
  const CallResult words =
      custom(std::string(kHead) + "output_schema: {type: object}\ncommand: echo words\n", "{}");
  EXPECT_TRUE(words.answer.failed);
  EXPECT_THAT(words.answer.text, StartsWith("t must print JSON, but its output is not JSON"));
}

TEST_F(Commands, ACustomToolNeedsAWorkspace) {
  use(options());
  files.workspace = nullptr;
  EXPECT_THAT(custom(std::string(kHead) + "command: 'true'\n", "{}").answer.text,
              HasSubstr("needs a workspace"));
}

// How the world is described to confinement, without running anything.
TEST_F(Commands, TheSettingsReachTheCommand) {
  base::Guarded<confine::Command> seen;
  CommandOptions described = options();
  described.network = confine::Network::kHosts;
  described.hosts = {"example.org"};
  described.limits.memory = 123;
  described.run = [&](const confine::Command& command, std::string_view, std::size_t,
                      const base::StopToken&, base::Deadline) -> base::Result<confine::Output> {
    seen.with([&](confine::Command& kept) { kept = command; });
    return confine::Output{
        .ending = {.exit_code = 137, .signal = 9, .remark = "used up its memory"}};
  };
  use(described);
  EXPECT_EQ(run(R"({"command":"x"})").answer.text,
            "exit code 137 (ended by signal 9)\nthe command used up its memory\n");
  const confine::Command command = seen.with([](const confine::Command& c) { return c; });
  EXPECT_EQ(command.argv, (std::vector<std::string>{"sh", "-c", "x"}));
  EXPECT_EQ(command.network, confine::Network::kHosts);
  EXPECT_EQ(command.hosts, std::vector<std::string>{"example.org"});
  EXPECT_EQ(command.limits.memory, 123U);
  EXPECT_EQ(command.working_directory, files.root());
  EXPECT_FALSE(command.unconfined);
  EXPECT_THAT(command.hidden, testing::Contains(files.folder / "own"));
}

}  // namespace
}  // namespace clever::tool
