#include "service/plan/control_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/trust.h"
#include "io/environment.h"
#include "support/temporary_directory.h"

namespace clever::service {
namespace {

using base::ErrorCode;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A person's settings, a project's and a variable: what control a plan gets from them.
class ControlSettingsTest : public ::testing::Test {
 protected:
  void user(std::string_view text) { folder_.write("me/.cleveragents/config.toml", text); }
  void project(std::string_view text) { folder_.write("me/here/.cleveragents/config.toml", text); }
  void variable(const std::string& name, const std::string& value) { variables_[name] = value; }

  base::Result<model::PlanSettings> make(model::PlanSettings plan = {},
                                         std::vector<std::string> invariants = {}) {
    variables_["HOME"] = (folder_ / "me").string();
    const Surroundings surroundings{.environment = io::Environment(variables_),
                                    .working_directory = project_folder()};
    Context context(
        surroundings, project_folder(), {}, 80, [] { return storage::Progress(); },
        [] { return Screen(); }, redactor_);
    const auto& settings = context.settings();
    if (!settings.ok()) return settings.error();
    CLEVER_TRY(add_control(context,
                           {.settings = *settings,
                            .action = action_,
                            .project = project_folder(),
                            .members = members_,
                            .invariants = std::move(invariants)},
                           plan));
    return plan;
  }
  model::Control control() { return make().value().control; }
  std::filesystem::path project_folder() { return folder_ / "me/here"; }

  std::vector<std::string> rules() {
    std::vector<std::string> all;
    for (const model::Permission& one : control().permissions) {
      all.push_back(std::string(to_string(one.verdict)) + " " + one.pattern + ", " + one.origin);
    }
    return all;
  }
  std::vector<std::string> hooks() {
    std::vector<std::string> names;
    for (const model::Hook& hook : control().hooks) names.push_back(hook.name);
    return names;
  }

  // One of several projects, with settings of its own.
  void member(const std::string& name, std::string_view text) {
    folder_.write("me/" + name + "/.cleveragents/config.toml", text);
    git::Project project;
    project.name = name;
    project.root = folder_ / "me" / name;
    members_.push_back(std::move(project));
  }

  test::TemporaryDirectory folder_;
  std::vector<git::Project> members_;
  io::Environment::Entries variables_;
  base::Redactor redactor_;
  engine::Action action_;
};

TEST_F(ControlSettingsTest, WithoutASettingIsThatOfThePlan) {
  project("");
  EXPECT_EQ(control(), model::Control());
}

TEST_F(ControlSettingsTest, ThresholdsTakeThePlaceOfTheProfiles) {
  project("");
  user("[automation]\nstrategy = 0.5\ndecision = 0.25\nwrite = 1\ndeletion = 1\nreversion = 1\n");
  const model::Automation automation = control().automation;
  EXPECT_EQ(automation, (model::Automation{.strategy = 0.5,
                                           .decision = 0.25,
                                           .write = 1,
                                           .deletion = 1,
                                           .reversion = 1,
                                           .apply = 1}));
}

TEST_F(ControlSettingsTest, WhoWantsToBeAskedBeforeApplyIsAsked) {
  project("");
  model::PlanSettings plan{.profile = "ci", .apply_when_ready = true};
  plan.control.automation.apply = 0;
  EXPECT_TRUE(make(plan).value().apply_when_ready);
  user("automation.apply = 1\n");
  EXPECT_FALSE(make(plan).value().apply_when_ready);
}

TEST_F(ControlSettingsTest, RulesOfAProjectAreAdded) {
  user("[permissions]\ndeny = ['delete_file']\nallow = ['write_file']\n");
  project("[permissions]\ndeny = ['run_command(rm *)']\nask = ['write_file(docs/**)']\n");
  EXPECT_THAT(rules(), ElementsAre("deny delete_file, your settings",
                                   "deny run_command(rm *), the project's settings",
                                   "ask write_file(docs/**), the project's settings",
                                   "allow write_file, your settings"));
}

// A variable takes the place of a file's value; it must not lift what a project forbids.
TEST_F(ControlSettingsTest, RulesOfAProjectCountBesideAVariable) {
  user("permissions.deny = ['delete_file']\n");
  project("[permissions]\ndeny = ['run_command(rm *)']\n[guards]\ndenied_tools = ['move_file']\n");
  variable("CLEVERAGENTS_PERMISSIONS_DENY", "run_command(git push *)");
  variable("CLEVERAGENTS_GUARDS_DENIED_TOOLS", "copy_file");
  EXPECT_THAT(rules(), ElementsAre("deny run_command(git push *), your settings",
                                   "deny run_command(rm *), the project's settings"));
  EXPECT_THAT(control().guards.denied_tools, ElementsAre("copy_file", "move_file"));
}

TEST_F(ControlSettingsTest, AProjectCanOnlyLowerTheCallsPerStep) {
  project("guards.calls_per_step = 4\n");
  EXPECT_EQ(control().guards.calls_per_step, 4);
  user("guards.calls_per_step = 3\n");
  EXPECT_EQ(control().guards.calls_per_step, 3);
  user("guards.calls_per_step = 9\n");
  EXPECT_EQ(control().guards.calls_per_step, 4);
  project("guards.calls_per_step = 0\n");
  EXPECT_EQ(control().guards.calls_per_step, 9);
}

TEST_F(ControlSettingsTest, TheOnlyToolsAreAPersonsWordAlone) {
  user("guards.allowed_tools = ['read_file', 'mcp__*']\n");
  project("");
  EXPECT_THAT(control().guards.allowed_tools, ElementsAre("read_file", "mcp__*"));
  project("guards.allowed_tools = ['run_command']\n");
  EXPECT_THAT(make().error().message(), HasSubstr("cannot be set by a project"));
}

TEST_F(ControlSettingsTest, HooksOfAProjectOnlyIfTheyAreTrusted) {
  user(
      "[[hook]]\nevent = 'tool.before'\nmatch = 'write_file'\ncommand = ['guard', 'x']\n"
      "timeout = '5s'\n");
  project("[[hook]]\nname = 'theirs'\nevent = 'plan.applied'\ncommand = 'curl x'\n");
  EXPECT_THAT(hooks(), ElementsAre("of tool.before"));
  const model::Hook mine = control().hooks.front();
  EXPECT_EQ(mine.match, "write_file");
  EXPECT_THAT(mine.argv, ElementsAre("guard", "x"));
  EXPECT_EQ(mine.timeout, std::chrono::seconds{5});

  auto trust = engine::TrustStore::open(folder_ / "me/.cleveragents").value();
  const auto loaded = config::load_settings({.home = folder_ / "me/.cleveragents",
                                             .project_directory = project_folder(),
                                             .environment = io::Environment(variables_)})
                          .value();
  trust.trust(project_folder(), {engine::named_command("hook", loaded.tables("hook").at(1))})
      .value();
  EXPECT_THAT(hooks(), ElementsAre("of tool.before", "theirs"));
  project("[[hook]]\nname = 'theirs'\nevent = 'plan.applied'\ncommand = 'curl y'\n");
  EXPECT_THAT(hooks(), ElementsAre("of tool.before"));
}

TEST_F(ControlSettingsTest, ATrustFileThatCannotBeReadIsSaid) {
  folder_.write("me/.cleveragents/trust.json", "no json");
  user("[[hook]]\nevent = 'tool.before'\ncommand = 'guard'\n");
  project("");
  EXPECT_EQ(make().error().code(), ErrorCode::kCorruption);
}

TEST_F(ControlSettingsTest, InvariantsOfAllWhoSayThem) {
  user("[[invariant]]\nname = 'keys'\ntext = 'Never commit keys.'\nnon_overridable = true\n");
  project("[[invariant]]\nname = 'api'\ntext = 'The public API stays.'\n");
  const auto made = make({}, {"No new dependencies."}).value().control.invariants;
  ASSERT_EQ(made.size(), 3U);
  EXPECT_EQ(made[0].scope, model::InvariantScope::kGlobal);
  EXPECT_TRUE(made[0].non_overridable);
  EXPECT_EQ(made[1].scope, model::InvariantScope::kProject);
  EXPECT_EQ(made[2].text, "No new dependencies.");
  EXPECT_EQ(made[2].scope, model::InvariantScope::kPlan);
}

TEST_F(ControlSettingsTest, InvariantsThatContradictEachOtherAreAConflict) {
  user("[[invariant]]\nname = 'push'\ntext = 'Always push.'\n");
  project("");
  const auto made = make({}, {"Never push."});
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.error().code(), ErrorCode::kConflict);
  EXPECT_EQ(make({}, {"  "}).error().code(), ErrorCode::kInvalidArgument);
}

// A journal without control says what it asks by the profile's name.
TEST_F(ControlSettingsTest, ThresholdsThatAreTheUsualOnesStayThoseOfTheSettings) {
  project("");
  user("[automation]\nstrategy = 0\ndecision = 0\nwrite = 0\ndeletion = 0\nreversion = 0\n");
  model::PlanSettings plan{.profile = "manual"};
  plan.control.automation = {
      .strategy = 1, .decision = 1, .write = 1, .deletion = 1, .reversion = 1, .apply = 1};
  const model::PlanSettings made = make(plan).value();
  EXPECT_EQ(made.control, model::Control());
  EXPECT_EQ(made.profile, "auto");
}

TEST_F(ControlSettingsTest, EachOfSeveralProjectsTightensForItsFolder) {
  project("[permissions]\ndeny = ['edit_file(here/**)']\n");
  user("[permissions]\ndeny = ['delete_file']\n");
  member("api",
         "[permissions]\ndeny = ['write_file(infra/**)']\nask = ['run_command(make *)']\n"
         "[guards]\ncalls_per_step = 5\n"
         "[[invariant]]\nname = 'keep'\ntext = 'Keep the API.'\n"
         "[[validation]]\nname = 'tests'\ncommand = ['make', 'test']\n");
  member("web", "[guards]\ncalls_per_step = 9\n");
  EXPECT_THAT(rules(), ElementsAre("deny delete_file, your settings",
                                   "deny write_file(infra/**), the settings of project api",
                                   "deny write_file(api/infra/**), the settings of project api",
                                   "ask run_command(make *), the settings of project api"));
  const model::Control made = control();
  EXPECT_EQ(made.guards.calls_per_step, 5);
  ASSERT_EQ(made.invariants.size(), 1U);
  EXPECT_EQ(made.invariants[0].name, "api/keep");
  EXPECT_EQ(made.invariants[0].text, "In api/: Keep the API.");
  ASSERT_EQ(made.validations.size(), 1U);
  EXPECT_EQ(made.validations[0].name, "tests (api)");
  EXPECT_EQ(made.validations[0].origin, "project api");
  EXPECT_THAT(made.validations[0].untrusted, ElementsAre("tests", "make", "test"))
      << "nobody has trusted it in that project";
  EXPECT_THAT(made.validations[0].argv,
              ElementsAre("sh", "-c", R"(cd "$0" && exec "$@")", "./api", "make", "test"));
}

}  // namespace
}  // namespace clever::service
