#include "engine/hooks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/clock.h"

namespace clever::engine {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A plan with hooks, and what their commands would come to.
class Hooks : public ::testing::Test {
 protected:
  void hook(const std::string& event, const std::string& name, const std::string& match = "") {
    plan_.settings.control.hooks.push_back(
        {.name = name, .event = event, .match = match, .argv = {"guard"}});
  }
  RunHook answering(int code, std::string words = "", std::string output = "") {
    return [this, code, words, output](const model::Hook& hook, std::string_view input,
                                       const base::StopToken&) {
      ran_.push_back(hook.name);
      input_ = json::parse(input);
      confine::Output result;
      result.ending.exit_code = code;
      result.error_output = words;
      result.output = output;
      return base::Result<confine::Output>(result);
    };
  }
  RunHook failing() {
    return [](const model::Hook&, std::string_view, const base::StopToken&) {
      return base::Result<confine::Output>(base::deadline_exceeded("it took 30 s"));
    };
  }

  RunHook dying(std::string remark) {
    return [remark](const model::Hook&, std::string_view, const base::StopToken&) {
      confine::Output result;
      result.ending = {.exit_code = 137, .signal = 9, .remark = remark};
      return base::Result<confine::Output>(result);
    };
  }

  plan::State plan_;
  model::ToolCall call_{.id = "c", .name = "write_file", .arguments = R"({"path":"a.txt"})"};
  std::vector<std::string> ran_;
  json input_;
};

TEST_F(Hooks, BeforeACallExitCode2BlocksWithItsWords) {
  hook("tool.before", "guard");
  EXPECT_EQ(objection_to_call(plan_, call_, answering(2, "hands off\n"), {}),
            "the hook guard blocked it: hands off");
  EXPECT_EQ(objection_to_call(plan_, call_, answering(2, "", "words\n"), {}),
            "the hook guard blocked it: words");
  EXPECT_EQ(objection_to_call(plan_, call_, answering(2), {}),
            "the hook guard blocked it: exit code 2");
}

TEST_F(Hooks, BeforeACallOtherCodesDoNot) {
  hook("tool.before", "guard");
  EXPECT_EQ(objection_to_call(plan_, call_, answering(0), {}), "");
  EXPECT_EQ(objection_to_call(plan_, call_, answering(1, "oops"), {}), "");
}

TEST_F(Hooks, OneThatDoesNotComeToItsEndBlocks) {
  hook("tool.before", "guard");
  EXPECT_THAT(objection_to_call(plan_, call_, failing(), {}),
              HasSubstr("the hook guard did not finish: it took 30 s"));
  hook("apply.before", "gate");
  EXPECT_THAT(objection_to_apply(plan_, failing(), {}), HasSubstr("the hook gate did not"));
}

// A guard that is not there guards nothing: a typing error must not open the door.
TEST_F(Hooks, OneThatCannotBeRunBlocks) {
  hook("tool.before", "guard");
  EXPECT_EQ(objection_to_call(plan_, call_, answering(127, "sh: gaurd: not found\n"), {}),
            "the hook guard cannot be run: sh: gaurd: not found");
  EXPECT_EQ(objection_to_call(plan_, call_, answering(126), {}),
            "the hook guard cannot be run: exit code 126");
}

TEST_F(Hooks, OneThatIsKilledBlocks) {
  hook("tool.before", "guard");
  EXPECT_EQ(objection_to_call(plan_, call_, dying("used up its memory"), {}),
            "the hook guard did not finish: used up its memory");
  EXPECT_EQ(objection_to_call(plan_, call_, dying(""), {}),
            "the hook guard did not finish: signal 9");
}

TEST_F(Hooks, OnlyThoseThatAreMeantRun) {
  hook("tool.before", "paths", "write_file(docs/**)");
  hook("tool.after", "after");
  hook("tool.before", "all");
  EXPECT_EQ(objection_to_call(plan_, call_, answering(0), {}), "");
  EXPECT_EQ(ran_, std::vector<std::string>{"all"});
  EXPECT_TRUE(has_hooks(plan_, "tool.after"));
  EXPECT_FALSE(has_hooks(plan_, "plan.complete"));
}

TEST_F(Hooks, TheFirstObjectionCounts) {
  hook("tool.before", "first");
  hook("tool.before", "second");
  EXPECT_THAT(objection_to_call(plan_, call_, answering(2, "no"), {}), HasSubstr("first"));
  EXPECT_EQ(ran_.size(), 1U);
}

TEST_F(Hooks, GetTheEvents) {
  plan_.title = "tidy up";
  hook("tool.after", "after");
  EXPECT_EQ(remarks_on_call(plan_, call_, "wrote it", false, answering(0), {}), "");
  EXPECT_EQ(input_["event"], "tool.after");
  EXPECT_EQ(input_["plan"]["title"], "tidy up");
  EXPECT_EQ(input_["call"]["tool"], "write_file");
  EXPECT_EQ(input_["call"]["arguments"]["path"], "a.txt");
  EXPECT_EQ(input_["result"]["text"], "wrote it");
  EXPECT_EQ(input_["result"]["failed"], false);
}

TEST_F(Hooks, AfterACallTheirWordsArePartOfTheResult) {
  hook("tool.after", "lint");
  EXPECT_EQ(remarks_on_call(plan_, call_, "x", true, answering(2, "2 warnings"), {}),
            "\nThe hook lint says: 2 warnings");
  EXPECT_EQ(remarks_on_call(plan_, call_, "x", true, answering(1, "oops"), {}), "");
}

TEST_F(Hooks, AfterACallThatTheyDidNotEndIsPartOfTheResult) {
  hook("tool.after", "format");
  EXPECT_EQ(remarks_on_call(plan_, call_, "x", false, failing(), {}),
            "\nthe hook format did not finish: it took 30 s");
}

TEST_F(Hooks, OfPlansThatFailAreNamed) {
  hook("plan.waiting", "bell");
  hook("plan.applied", "other");
  EXPECT_THAT(tell_hooks(plan_, "plan.waiting", answering(0), {}), IsEmpty());
  EXPECT_THAT(tell_hooks(plan_, "plan.waiting", answering(3, "no sound"), {}),
              ElementsAre("plan.waiting: the hook bell failed: no sound"));
  EXPECT_THAT(tell_hooks(plan_, "plan.waiting", failing(), {}),
              ElementsAre("plan.waiting: the hook bell did not finish: it took 30 s"));
  EXPECT_EQ(ran_, (std::vector<std::string>{"bell", "bell"}));
}

TEST_F(Hooks, BeforeApplyAnyOtherCodeThanZeroBlocks) {
  hook("apply.before", "gate");
  EXPECT_EQ(objection_to_apply(plan_, answering(0), {}), "");
  EXPECT_EQ(objection_to_apply(plan_, answering(1, "red"), {}),
            "the hook gate blocks the apply: red");
}

TEST_F(Hooks, ArgumentsThatAreNoJsonAreTheirText) {
  hook("tool.before", "guard");
  call_.arguments = "{";
  EXPECT_EQ(objection_to_call(plan_, call_, answering(0), {}), "");
  EXPECT_EQ(input_["call"]["arguments"], "{");
}

TEST_F(Hooks, LongWordsAreCut) {
  hook("tool.before", "guard");
  EXPECT_LT(objection_to_call(plan_, call_, answering(2, std::string(9'000, 'x')), {}).size(),
            2'100U);
}

TEST_F(Hooks, OnTheProjectAreConfinedAndCannotChangeIt) {
  confine::Command seen;
  base::SystemClock clock;
  tool::CommandOptions options;
  options.project_root = "/p";
  options.run = [&](const confine::Command& command, std::string_view, std::size_t,
                    const base::StopToken&, base::Deadline) {
    seen = command;
    return base::Result<confine::Output>(confine::Output{});
  };
  hook("plan.complete", "bell");
  EXPECT_THAT(tell_hooks(plan_, "plan.complete", hooks_on(options, clock), {}), IsEmpty());
  EXPECT_EQ(seen.argv, std::vector<std::string>{"guard"});
  EXPECT_EQ(seen.working_directory, "/p");
  ASSERT_FALSE(seen.mounts.empty());
  EXPECT_EQ(seen.mounts.back().kind, confine::Mount::Kind::kReadOnly);
  EXPECT_FALSE(seen.unconfined);
}

}  // namespace
}  // namespace clever::engine
