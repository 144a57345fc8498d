// Validations as real, confined commands on the work of a plan.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/guarded.h"
#include "engine/effects/effects.h"
#include "support/confine_launcher.h"
#include "support/effects_world.h"
#include "tool/command_world.h"

namespace clever::engine {
namespace {

using model::Validation;
using model::ValidationResult;
using plan::EffectKind;
using test::EffectEnd;
using test::EffectsWorld;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

class SeenResults final : public Observer {
 public:
  void on_validation(const model::PlanId&, const ValidationResult& result) override {
    results.with([&](auto& all) { all.push_back(result.name); });
  }
  base::Guarded<std::vector<std::string>> results;
};

class ValidationsRunTest : public ::testing::Test {
 protected:
  ValidationsRunTest() {
    world_.repository.write("a.txt", "old\n");
    world_.repository.write(".gitignore", "ignored\n");
    world_.repository.commit();
    plan_ = world_.plan_at_base();
    plan_.tree = world_.with_file(plan_, "a.txt", "new\n");
    world_.observer = &seen_;
    world_.commands =
        tool::CommandWorld::make(world_.clock,
                                 {.launcher = test::confine_launcher(),
                                  .world = {.home = world_.repository.beside("home"),
                                            .own_home = world_.repository.beside("own"),
                                            .environment = {"PATH=/usr/local/bin:/usr/bin:/bin"}},
                                  .project_root = world_.repository.path(),
                                  .shared_folder = world_.repository.beside("setup")})
            .value();
  }

  void add(const std::string& name, const std::string& command) {
    plan_.settings.control.validations.push_back(
        {.name = name, .argv = {"sh", "-c", command}, .timeout = std::chrono::seconds{60}});
  }
  plan::Command run() {
    EffectEnd end;
    const auto effects = make_effects(world_.parts());
    effects->start(world_.order(plan_, EffectKind::kValidate), end.done());
    return end.wait();
  }
  std::vector<ValidationResult> results() {
    plan::Command outcome = run();
    const auto* validated = std::get_if<plan::Validated>(&outcome);
    if (validated == nullptr) ADD_FAILURE() << plan::name_of(outcome);
    if (validated != nullptr) EXPECT_EQ(validated->tree, plan_.tree);
    return validated == nullptr ? std::vector<ValidationResult>() : validated->results;
  }
  [[nodiscard]] std::size_t folders() const {
    const auto folder = world_.repository.beside("sandboxes") / plan_.id.to_string() / "workspaces";
    if (!std::filesystem::exists(folder)) return 0;
    const std::filesystem::directory_iterator entries(folder);
    return static_cast<std::size_t>(std::distance(begin(entries), end(entries)));
  }

  EffectsWorld world_;
  SeenResults seen_;
  plan::State plan_;
};

TEST_F(ValidationsRunTest, SeeTheWorkAndPassOrNot) {
  add("passes", "grep new a.txt");
  add("fails", "echo said; echo wrong >&2; exit 3");
  const auto all = results();
  ASSERT_EQ(all.size(), 2U);
  EXPECT_TRUE(all[0].passed);
  EXPECT_EQ(all[0].outcome, "");
  EXPECT_EQ(all[0].output, "new\n");
  EXPECT_FALSE(all[1].passed);
  EXPECT_EQ(all[1].outcome, "exit code 3");
  EXPECT_EQ(all[1].output, "said\nwrong\n");
  EXPECT_THAT(seen_.results.with([](auto& names) { return names; }),
              UnorderedElementsAre("passes", "fails"));
  EXPECT_EQ(folders(), 0U);
}

TEST_F(ValidationsRunTest, DropWhatTheyWrite) {
  add("writes", "echo hers > a.txt; echo x > new.txt; echo x > ignored");
  add("looks", "sleep 0; test \"$(cat a.txt)\" = new && test ! -e new.txt");
  const auto all = results();
  EXPECT_TRUE(all[0].passed);
  EXPECT_THAT(all[0].output, AllOf(HasSubstr("what it wrote was dropped"), HasSubstr("a.txt"),
                                   HasSubstr("new.txt")));
  EXPECT_TRUE(all[1].passed) << all[1].output;
  EXPECT_EQ(world_.repository.read("a.txt"), "old\n");
  EXPECT_EQ(world_.file_in(plan_, plan_.tree, "a.txt"), "new\n");
}

TEST_F(ValidationsRunTest, AreKilledWhenTheirTimeIsOver) {
  add("hangs", "echo began; sleep 1000 & sleep 1000");
  plan_.settings.control.validations[0].timeout = std::chrono::milliseconds{300};
  const auto all = results();
  EXPECT_FALSE(all[0].passed);
  EXPECT_EQ(all[0].outcome, "timed out after 300 ms");
  EXPECT_THAT(all[0].output, HasSubstr("began"));
}

TEST_F(ValidationsRunTest, KeepTheEndOfWhatTheyPrint) {
  add("talks", "i=0; while [ $i -lt 20000 ]; do echo line $i; i=$((i+1)); done; echo the end");
  const auto all = results();
  EXPECT_TRUE(all[0].passed);
  EXPECT_LE(all[0].output.size(), 4'000U);
  EXPECT_TRUE(all[0].output.ends_with("the end\n"));
}

TEST_F(ValidationsRunTest, OfWhatCannotBeStartedSaySo) {
  plan_.settings.control.validations = {{.name = "none", .argv = {"no-such-program"}}};
  const auto all = results();
  EXPECT_FALSE(all[0].passed);
  EXPECT_THAT(all[0].outcome, HasSubstr("could not be run"));
}

TEST_F(ValidationsRunTest, WithoutCommandsSaySo) {
  add("any", "true");
  world_.commands = nullptr;
  EXPECT_THAT(results().at(0).outcome, HasSubstr("commands cannot run here"));
}

TEST_F(ValidationsRunTest, MayBeTools) {
  plan_.settings.control.validations = {
      {.name = "reads", .tool = "read_file", .arguments = R"({"path":"a.txt"})"},
      {.name = "misses", .tool = "read_file", .arguments = R"({"path":"none.txt"})"},
      {.name = "unknown", .tool = "no_such_tool"}};
  const auto all = results();
  EXPECT_TRUE(all[0].passed) << all[0].outcome;
  EXPECT_THAT(all[0].output, HasSubstr("new"));
  EXPECT_FALSE(all[1].passed);
  EXPECT_FALSE(all[2].passed);
  EXPECT_THAT(all[2].outcome, HasSubstr("could not be run"));
}

TEST_F(ValidationsRunTest, EndWithTheirEffect) {
  add("hangs", "sleep 1000");
  add("hangs too", "sleep 1000");
  base::StopSource stop;
  EffectEnd end;
  auto effects = make_effects(world_.parts());
  EffectOrder order = world_.order(plan_, EffectKind::kValidate);
  order.stop = stop.token();
  effects->start(std::move(order), end.done());
  stop.request_stop();
  EXPECT_TRUE(std::holds_alternative<plan::EffectStopped>(end.wait()));
  effects.reset();
  EXPECT_EQ(folders(), 0U);
}

TEST_F(ValidationsRunTest, AreStoppedByTheEndOfTheEngine) {
  add("hangs", "sleep 1000");
  EffectEnd end;
  auto effects = make_effects(world_.parts());
  effects->start(world_.order(plan_, EffectKind::kValidate), end.done());
  effects.reset();
  EXPECT_TRUE(std::holds_alternative<plan::EffectStopped>(end.wait()));
}

}  // namespace
}  // namespace clever::engine
