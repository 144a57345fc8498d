#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/text.h"
#include "cli/commands.h"
#include "server/bind.h"
#include "server/routes.h"

namespace clever::server {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class BindTest : public ::testing::Test {
 protected:
  base::Result<Bound> post(const std::string& path, const std::string& body) {
    return bound("POST", path, {.method = "POST", .body = body});
  }
  base::Result<Bound> get(const std::string& path,
                          std::vector<std::pair<std::string, std::string>> query) {
    return bound("GET", path, {.method = "GET", .query = std::move(query)});
  }
  std::string refusal(const std::string& path, const std::string& body) {
    const auto all = post(path, body);
    return all.ok() ? "" : all.error().sentence();
  }

 private:
  base::Result<Bound> bound(std::string_view method, const std::string& path,
                            const http::Request& request) {
    std::vector<std::string> segments;
    for (const auto segment : base::split(std::string_view(path).substr(1), '/')) {
      segments.emplace_back(segment);
    }
    const Found found = find_route(method, segments);
    EXPECT_NE(found.route, nullptr) << path;
    return bind(*found.route, found.parameters, request, root_);
  }

  const service::Command root_ = cli::command_tree();
};

TEST_F(BindTest, ABodyBecomesWordsAndOptions) {
  const Bound bound =
      post("/v1/plans", R"({"task":"Fix it","projects":["a"],"direct":true,"apply":false,)"
                        R"("budget_usd":1.5,"validate":["make","make test"],"model":null})")
          .value();
  EXPECT_EQ(service::joined(bound.invocation.path()), "agents run");
  EXPECT_THAT(bound.invocation.words(), ElementsAre("Fix it"));
  EXPECT_THAT(bound.invocation.values("validate"), ElementsAre("make", "make test"));
  EXPECT_EQ(bound.invocation.value("budget"), "1.5");
  EXPECT_TRUE(bound.invocation.flag("direct"));
  EXPECT_TRUE(bound.invocation.flag("detach"));
  EXPECT_FALSE(bound.invocation.flag("apply"));
  EXPECT_FALSE(bound.invocation.flag("model"));
  EXPECT_THAT(bound.projects, ElementsAre("a"));
}

TEST_F(BindTest, TheFilesOfTheServerCannotBeNamed) {
  EXPECT_THAT(post("/v1/plans", R"({"task":"@/etc/passwd"})").value().invocation.words(),
              ElementsAre(" @/etc/passwd"));
  const Bound prompt = post("/v1/plans/X/prompt", R"({"text":"-"})").value();
  EXPECT_THAT(prompt.invocation.words(), ElementsAre("X", " -"));
  const Bound correct = post("/v1/plans/X/correct", R"({"decision":"4","guidance":"@f"})").value();
  EXPECT_EQ(correct.invocation.value("guidance"), " @f");
}

TEST_F(BindTest, MistakesAreNamed) {
  EXPECT_THAT(refusal("/v1/plans", "{}"), HasSubstr("task is missing"));
  EXPECT_THAT(refusal("/v1/plans", R"({"task":"a","tsk":1})"), HasSubstr("no key 'tsk'"));
  EXPECT_THAT(refusal("/v1/plans", R"({"task":1})"), HasSubstr("task: expected a text"));
  EXPECT_THAT(refusal("/v1/plans", R"({"task":" "})"), HasSubstr("not blank"));
  EXPECT_THAT(refusal("/v1/plans", R"({"task":"a","direct":"yes"})"), HasSubstr("true or false"));
  EXPECT_THAT(refusal("/v1/plans", R"({"task":"a","validate":"make"})"),
              HasSubstr("a list of texts"));
  EXPECT_THAT(refusal("/v1/plans", R"({"task":"a","budget_usd":"1"})"), HasSubstr("a number"));
  EXPECT_THAT(refusal("/v1/plans", R"({"task":"a","task":"b"})"), HasSubstr("task"));
  EXPECT_THAT(refusal("/v1/plans", "[]"), HasSubstr("a JSON object"));
  EXPECT_THAT(refusal("/v1/plans", "{"), HasSubstr("the body"));
  EXPECT_THAT(
      refusal("/v1/plans/X/correct", R"({"decision":"4","guidance":"a","mode":"sideways"})"),
      HasSubstr("revert or append"));
  EXPECT_THAT(refusal("/v1/plans/X/undo", R"({"yes":true})"), HasSubstr("none is taken here"));
}

TEST_F(BindTest, AQueryBecomesOptions) {
  const Bound bound =
      get("/v1/plans", {{"limit", "5"}, {"state", "waiting"}, {"subplans", "true"}}).value();
  EXPECT_EQ(bound.invocation.value("limit"), "5");
  EXPECT_EQ(bound.invocation.value("state"), "waiting");
  EXPECT_TRUE(bound.invocation.flag("subplans"));
  EXPECT_FALSE(get("/v1/plans", {{"limit", "x"}}).ok());
  EXPECT_FALSE(get("/v1/plans", {{"state", "asleep"}}).ok());
  EXPECT_FALSE(get("/v1/plans", {{"limit", "5"}, {"limit", "6"}}).ok());
  EXPECT_FALSE(get("/v1/plans", {{"detach", "true"}}).ok());
}

TEST(Routes, NameOperationsOptionsAndRightsThatExist) {
  const service::Command root = cli::command_tree();
  for (const Route& route : routes()) {
    if (route.operation.empty()) continue;
    const auto path = find_operation(root, route.operation);
    ASSERT_FALSE(path.empty()) << route.operation;
    EXPECT_TRUE(service::has_right_of_its_own(route.operation)) << route.operation;
    for (const Field& field : route.fields) {
      using enum Field::Kind;
      if (field.kind == kWord || field.kind == kWords || field.kind == kProjects) continue;
      const auto name = field.option.empty() ? field.name : field.option;
      EXPECT_EQ(std::ranges::count(path.back()->options, name, &service::Option::name), 1)
          << route.path << " " << name;
    }
    for (const auto flag : route.flags) {
      EXPECT_EQ(std::ranges::count(path.back()->options, flag, &service::Option::name), 1)
          << route.path << " " << flag;
    }
  }
}

TEST(Routes, AreFoundByTheirSegments) {
  EXPECT_EQ(find_route("GET", {"v1", "plans", "X"}).parameters.at("plan"), "X");
  EXPECT_NE(find_route("HEAD", {"v1", "plans"}).route, nullptr);
  EXPECT_EQ(find_route("DELETE", {"v1", "plans"}).route, nullptr);
  EXPECT_THAT(find_route("DELETE", {"v1", "plans"}).methods, ElementsAre("GET", "HEAD", "POST"));
  EXPECT_TRUE(find_route("GET", {"v1", "plans", ""}).methods.size() > 0);
  EXPECT_TRUE(find_route("GET", {"v2"}).methods.empty());
  EXPECT_TRUE(find_route("GET", {}).methods.empty());
}

// Every operation of the program has a row in the table of rights.
void check_rights(const service::Command& command, const std::string& path) {
  if (command.handler != nullptr) {
    EXPECT_TRUE(service::has_right_of_its_own(path)) << path;
  }
  for (const service::Command& sub : command.subcommands) {
    check_rights(sub, path.empty() ? std::string(sub.name) : path + " " + std::string(sub.name));
  }
}

TEST(Rights, EveryOperationHasOne) { check_rights(cli::command_tree(), ""); }

TEST(Rights, APlanThatLandsByItselfTakesTheRightToApprove) {
  const service::Command root = cli::command_tree();
  const auto run = find_operation(root, "run");
  service::Invocation invocation(root);
  invocation.enter(*run.back());
  const auto approves = [&] {
    return service::rights_for(run, invocation).has(service::Right::kApprove);
  };
  EXPECT_FALSE(approves());
  invocation.values_of("profile").assign(1, "supervised");
  EXPECT_FALSE(approves());
  invocation.values_of("profile").assign(1, "full-auto");
  EXPECT_TRUE(approves());
  invocation.values_of("profile").assign(1, "supervised");
  invocation.values_of("apply").assign(1, "");
  EXPECT_TRUE(approves());
}

}  // namespace
}  // namespace clever::server
