#include "service/plan/validation_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/offer/project_commands.h"
#include "support/temporary_directory.h"

namespace clever::service {
namespace {

using model::Validation;
using testing::ElementsAre;

class ValidationSettingsTest : public testing::Test {
 protected:
  config::Settings settings(std::string_view user, std::string_view project = "") {
    folder_.write("me/.cleveragents/config.toml", user);
    folder_.write("me/here/.cleveragents/config.toml", project);
    return config::load_settings(
               {.home = folder_ / "me/.cleveragents",
                .project_directory = folder_ / "me/here",
                .environment = io::Environment({{"HOME", (folder_ / "me").string()}})})
        .value();
  }
  engine::TrustStore trust() { return engine::TrustStore::open(folder_ / "me").value(); }
  std::vector<std::string> names(const config::Settings& settings, const engine::Action& action,
                                 const std::vector<std::string>& commands = {}) {
    untrusted_ = 0;
    std::vector<std::string> all;
    for (const Validation& one :
         plan_validations(settings, folder_ / "me/here", trust(), action, commands, untrusted_)
             .value()) {
      all.push_back(one.name);
    }
    return all;
  }

  test::TemporaryDirectory folder_;
  std::size_t untrusted_ = 0;
};

constexpr std::string_view kTests = "[[validation]]\nname = 'tests'\ncommand = 'make test'\n";

TEST_F(ValidationSettingsTest, OfTheProjectWhatIsNotTrustedIsThereAndMarked) {
  const auto found = settings(kTests, kTests);
  EXPECT_THAT(names(found, {}), ElementsAre("tests", "tests (project)"));
  EXPECT_EQ(untrusted_, 1U);
  EXPECT_THAT(validations_of(found, folder_ / "me/here", trust()).value().validations[1].untrusted,
              ElementsAre("tests", "sh", "-c", "make test"));
  constexpr std::string_view kTold =
      "[[validation]]\nname = 'lint'\ncommand = 'l'\nrequired = false\n";
  EXPECT_THAT(names(settings("", kTold), {}), ElementsAre());
  auto store = trust();
  store
      .trust(folder_ / "me/here",
             {engine::named_command("validation", found.tables("validation").at(1))})
      .value();
  EXPECT_THAT(names(found, {}), ElementsAre("tests", "tests (project)"));
  EXPECT_EQ(untrusted_, 0U);
}

TEST_F(ValidationSettingsTest, OfAnActionAndOfTheCommandLine) {
  engine::Action action;
  action.validations = {{.name = "tests", .argv = {"a"}, .origin = "action"},
                        {.name = "lint", .argv = {"b"}, .origin = "action"}};
  EXPECT_THAT(names(settings(kTests), action, {"make", "make"}),
              ElementsAre("tests", "tests (action)", "lint", "make", "make (plan)"));
}

TEST_F(ValidationSettingsTest, OfAnActionOfTheProjectIfItIsTrusted) {
  engine::Action action;
  action.of_project = true;
  action.place = "x.yaml";
  action.validations = {{.name = "tests", .argv = {"a"}, .origin = "action"}};
  EXPECT_THAT(names(settings(""), action), ElementsAre("tests"));
  EXPECT_EQ(untrusted_, 1U);
  auto store = trust();
  store.trust(folder_ / "me/here", {engine::named_validation(action.validations[0], action.place)})
      .value();
  EXPECT_THAT(names(settings(""), action), ElementsAre("tests"));
}

TEST(ShownCommand, IsOneLine) {
  EXPECT_EQ(shown_command({.argv = {"sh", "-c", "make test"}}), "make test");
  EXPECT_EQ(shown_command({.argv = {"npm", "test"}}), "npm test");
  EXPECT_EQ(shown_command({.tool = "t"}), "t");
  EXPECT_EQ(shown_command({.tool = "t", .arguments = "{}"}), "t {}");
}

}  // namespace
}  // namespace clever::service
