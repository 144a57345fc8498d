// The actors and actions that are shown to users work as they are.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/actor/action.h"
#include "engine/actor/graph_actor.h"
#include "engine/actor/new_plan.h"
#include "engine/actor/tool_actor.h"
#include "io/file.h"
#include "support/built_paths.h"
#include "support/confine_launcher.h"
#include "support/test_workspace.h"

namespace clever::engine {
namespace {

using test::TestFile;
using test::TestWorkspace;
using testing::HasSubstr;

std::filesystem::path repository() { return test::source_root(); }

class ActorExamples : public testing::Test {
 protected:
  ActorCatalog actors = ActorCatalog::load({repository() / "examples/actors"}).value();
  ActionCatalog actions = ActionCatalog::load({repository() / "examples/actions"}).value();

  plan::Create create(const std::string& action, const NewPlanOptions& options) const {
    return new_plan(actions.find(action).value(), actors, options,
                    [](const std::string&) {
                      return base::Result<model::ModelTerms>(model::ModelTerms{});
                    })
        .value();
  }
  std::string work(const std::string& actor, const TestWorkspace& files,
                   const std::map<std::string, std::string>& arguments,
                   std::shared_ptr<tool::CommandWorld> commands = nullptr) const {
    const auto result = ToolActorRunner(std::move(commands))
                            .work(actors.find(actor).value(), arguments, {}, *files, {});
    return result.ok() ? result->summary : result.error().sentence();
  }
};

TEST_F(ActorExamples, RenamingAModule) {
  const TestWorkspace files({{"utils.py", "x = 1\n"},
                             {"main.py", "import utils\nfrom  utils import x\nimport utils_2\n"},
                             {"notes.txt", "import utils\n"}});
  EXPECT_EQ(work("rename-module", files, {{"from", "utils"}, {"to", "helpers"}}),
            "replaced 2 occurrences in 1 file, moved 1 path");
  EXPECT_EQ(files.read("main.py"), "import helpers\nfrom  helpers import x\nimport utils_2\n");
  EXPECT_EQ(files.read("helpers.py"), "x = 1\n");
  EXPECT_EQ(files.read("notes.txt"), "import utils\n");
}

TEST_F(ActorExamples, ANewComponent) {
  const TestWorkspace files(std::vector<TestFile>{{"index.txt", "# components\n- old\n"}});
  EXPECT_EQ(work("new-component", files, {{"name", "button"}, {"project", "shop"}}),
            "replaced 1 occurrence in 1 file, wrote 2 files, set the mode of 1 file");
  EXPECT_EQ(files.read("index.txt"), "# components\n- button\n- old\n");
  EXPECT_EQ(files.read("components/button.txt"),
            "# Untitled\nThe component button of shop. In the template ${name} stands for its "
            "name.\n");
  EXPECT_TRUE(files->read(test::path_of("components/check-button.sh")).value().executable);
}

TEST_F(ActorExamples, TidyingTextInParts) {
  std::vector<TestFile> all;
  for (int i = 0; i < 20; ++i) all.push_back({"t" + std::to_string(i) + ".txt", "a \nb\t\n"});
  all.push_back({"tidy.txt", "a\n"});
  const TestWorkspace files(all);
  const Actor actor = actors.find("tidy-text").value();
  const auto strategy = ToolActorRunner(nullptr).strategize(actor, {}, *files, {}).value();
  EXPECT_EQ(strategy.steps.size(), 5U);
  base::SystemClock clock;
  const auto commands =
      tool::CommandWorld::make(clock, {.launcher = test::confine_launcher(),
                                       .world = {.home = files.folder() / "home",
                                                 .own_home = files.folder() / "own",
                                                 .environment = {"PATH=/usr/bin:/bin"}},
                                       .project_root = files.folder() / "project",
                                       .shared_folder = files.folder() / "shared"})
          .value();
  const auto result =
      ToolActorRunner(commands).work(actor, {}, strategy.steps[0].paths, *files, {});
  ASSERT_TRUE(result.ok()) << result.error().to_string();
  for (const std::string& path : strategy.steps[0].paths) EXPECT_EQ(files.read(path), "a\nb\n");
  EXPECT_EQ(files->status().value().size(), strategy.steps[0].paths.size());
}

TEST_F(ActorExamples, Actions) {
  const plan::Create review = create("review", {});
  EXPECT_EQ(review.title, "Review the last commit for mistakes that would hurt.");
  EXPECT_EQ(review.settings.actor, "local/reviewer");
  EXPECT_TRUE(review.settings.read_only);
  const plan::Create tests = create("add-tests", {.arguments = {{"file", "a.py"}}});
  ASSERT_EQ(tests.settings.control.invariants.size(), 1U);
  EXPECT_THAT(tests.settings.control.invariants[0].text, HasSubstr("a.py itself stays as it is"));
}

// What the documentation shows is what the files say, comments aside.
TEST_F(ActorExamples, TheDocumentationShowsTheFiles) {
  const std::string page = io::read_file(repository() / "docs/reference/actors.md").value();
  for (const std::string name : {"actors/rename-module", "actions/add-tests"}) {
    const std::string file = io::read_file(repository() / "examples" / (name + ".yaml")).value();
    std::string shown;
    for (std::size_t at = 0; at < file.size();) {
      const std::size_t end = file.find('\n', at) + 1;
      if (file[at] != '#') shown += file.substr(at, end - at);
      at = end;
    }
    EXPECT_THAT(page, HasSubstr("```yaml\n" + shown + "```")) << name;
  }
}

TEST_F(ActorExamples, AGraphNamesActorsThatAreThere) {
  const Actor graph = actors.find("rename-everywhere").value();
  const auto fits = check_graph(graph, actors);
  EXPECT_TRUE(fits.ok()) << fits.error().message();
  const auto strategy = graph_strategy(graph, {{"from", "a"}, {"to", "b"}}).value();
  ASSERT_EQ(strategy.steps.size(), 3U);
  EXPECT_THAT(strategy.steps.back().when, HasSubstr("steps.code.files + steps.documents.files"));
}

TEST_F(ActorExamples, AnAgentLikeAPreset) {
  const AgentProgram mine = actors.find("claude-long")->program;
  EXPECT_EQ(mine.timeout_s, 14'400);
  EXPECT_EQ(mine.command, actors.find("claude")->program.command);
}

}  // namespace
}  // namespace clever::engine
