#include "service/commands/run_request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/commands/commands.h"
#include "cli/parse.h"
#include "cli/words.h"

namespace clever::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<service::TaskRequest> accept_tasks(std::string_view text,
                                               const service::TaskRequest& defaults = {}) {
  auto tasks = service::tasks_from_yaml(text, "tasks.yaml", "/folder", defaults);
  EXPECT_TRUE(tasks.ok()) << tasks.error().to_string();
  return std::move(tasks).value_or(std::vector<service::TaskRequest>());
}

void expect_refused(std::string_view text, const std::string& message) {
  const auto tasks = service::tasks_from_yaml(text, "tasks.yaml", "/folder", {});
  ASSERT_FALSE(tasks.ok()) << text;
  EXPECT_THAT(tasks.error().sentence(), HasSubstr(message)) << text;
}

TEST(TasksFileTest, IsAListOfTexts) {
  const auto tasks = accept_tasks("- Fix the parser\n- |\n  Write docs\n  for it\n");
  ASSERT_EQ(tasks.size(), 2U);
  EXPECT_EQ(tasks[0].task, "Fix the parser");
  EXPECT_EQ(tasks[1].task, "Write docs\nfor it\n");
}

TEST(TasksFileTest, MayBeUnderAKey) { EXPECT_EQ(accept_tasks("tasks:\n- One\n")[0].task, "One"); }

TEST(TasksFileTest, ATaskSaysAllThatOptionsSay) {
  const auto tasks = accept_tasks(
      "tasks:\n"
      "- task: Rename\n  actor: local/codemod\n  args: {find: Foo, replace: Bar, count: 3, none: "
      "}\n"
      "  model: a/b\n  action: local/x\n  profile: ci\n  direct: true\n  from: HEAD~1\n"
      "  budget: 2.50\n  images: [a.png, /b.png]\n");
  ASSERT_EQ(tasks.size(), 1U);
  const service::TaskRequest wanted{
      .task = "Rename",
      .images = {"/folder/a.png", "/b.png"},
      .model = "a/b",
      .actor = "local/codemod",
      .arguments = {{"find", "Foo"}, {"replace", "Bar"}, {"count", "3"}, {"none", ""}},
      .action = "local/x",
      .profile = "ci",
      .direct = true,
      .from = "HEAD~1",
      .budget = 2'500'000};
  EXPECT_EQ(tasks[0], wanted);
}

TEST(TasksFileTest, LeavesTheRestToTheCommandLine) {
  const auto tasks = accept_tasks("- One\n- {task: Two, model: c/d, direct: false}\n",
                                  {.model = "a/b", .direct = true});
  EXPECT_EQ(tasks[0], (service::TaskRequest{.task = "One", .model = "a/b", .direct = true}));
  EXPECT_EQ(tasks[1], (service::TaskRequest{.task = "Two", .model = "c/d"}));
}

TEST(TasksFileTest, AnActorMayNeedNoWords) {
  EXPECT_EQ(accept_tasks("- {actor: local/codemod}\n")[0].task, "");
}

TEST(TasksFileTest, MistakesNameTheLineAndTheCure) {
  expect_refused("tasks:\n- One\nothers: 1\n", "tasks.yaml:3: ");
  expect_refused("tasks:\n- task: One\n  modle: x\n", "tasks.yaml:3: ");
  expect_refused("- task: One\n  modle: x\n", "model");
  expect_refused("tasks: 5\n", "expected a list of tasks");
  expect_refused("[]\n", "expected a list of tasks");
  expect_refused("{}\n", "`tasks`");
  expect_refused("- [One]\n", "expected a task");
  expect_refused("- {model: a/b}\n", "the key `task` is missing");
  expect_refused("- ' '\n", "empty");
  expect_refused("- {task: One, direct: maybe}\n", "expected true or false");
  expect_refused("- {task: One, budget: -1}\n", "expected an amount in dollars");
  expect_refused("- {task: One, args: [a]}\n", "expected a mapping");
  expect_refused("- {task: One, args: {a: [b]}}\n", "expected a text");
  expect_refused("- {task: One, images: a.png}\n", "expected a list of files");
  expect_refused("- {task: One, images: [[a]]}\n", "expected a text");
  expect_refused("- {task: [One]}\n", "expected a text");
  expect_refused("- {task: One, model: {}}\n", "expected a text");
  expect_refused("- {task: One\n", "tasks.yaml:");
}

TEST(TasksFileTest, HasABound) {
  std::string text;
  for (std::size_t i = 0; i <= service::kMostTasks; ++i) text += "- a task\n";
  expect_refused(text, "at most 1000 tasks");
}

base::Result<std::optional<model::ApplyRequested>> landing(std::vector<std::string> words) {
  Command root{
      .name = "agents",
      .summary = "x",
      .options = service::landing_options(),
      .handler = [](const Invocation&, Context&) { return base::Result<Report>(Report{}); }};
  const Parsed parsed = parse(root, words);
  EXPECT_FALSE(parsed.error.has_value());
  return service::landing_of(parsed.invocation);
}

TEST(LandingTest, IsAskedForByApply) {
  EXPECT_EQ(*landing({}), std::nullopt);
  const auto apply = landing({"--apply"});
  ASSERT_TRUE(apply.ok() && apply->has_value());
  EXPECT_EQ((*apply)->mode, "commit");
  EXPECT_TRUE((*apply)->remerge);
  EXPECT_TRUE((*apply)->verify);
}

TEST(LandingTest, IsTheSameAsWords) {
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"--apply"},
           {"--apply", "--no-commit"},
           {"--apply", "--branch=agents/x", "--message=a message", "--no-verify"}}) {
    const auto apply = landing(words);
    ASSERT_TRUE(apply.ok());
    EXPECT_EQ(service::landing_words(**apply), words);
  }
}

TEST(LandingTest, SaysWhatDoesNotGoTogether) {
  EXPECT_THAT(landing({"--branch", "x"}).error().message(), HasSubstr("only applies with --apply"));
  EXPECT_THAT(landing({"-m", "x"}).error().message(), HasSubstr("--message"));
  EXPECT_THAT(landing({"--apply", "--no-commit", "--branch", "x"}).error().message(),
              HasSubstr("choose one"));
}

}  // namespace
}  // namespace clever::cli
