// Reviewing a plan on a real repository: `plan diff`, `plan hunks`, `plan review`, `apply --hunks`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <nlohmann/json.hpp>

#include "io/file.h"
#include "support/cli_run.h"
#include "support/repository.h"

namespace clever::cli {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr std::string_view kReviewScript = R"(
rules:
- match: {any: why so}
  reply: Because it is better.
- match: {turn: 1}
  tool_calls:
  - {name: write_file, arguments: {path: a.txt, content: "one\n2\n3\n4\n5\n6\nseven\n"}}
  - {name: write_file, arguments: {path: b.txt, content: "B\n"}}
- reply: It is done.
)";

/// Somebody with a plan that changed three places in two files.
class PlanReviewTest : public testing::Test {
 protected:
  PlanReviewTest() {
    cli_.models().plays_scripts = true;
    repository_.write("a.txt", "1\n2\n3\n4\n5\n6\n7\n");
    repository_.write("b.txt", "b\n");
    repository_.commit("base");
    script_ = repository_.beside("script.yaml");
    std::ofstream(script_) << kReviewScript;
    EXPECT_EQ(agents({"run", "--direct", "--script", script_.string(), "Change it"}), 0)
        << cli_.error_output;
  }

  int agents(std::vector<std::string> words) {
    words.insert(words.begin(), {"-C", repository_.path().string()});
    return cli_.run(words);
  }
  // At a terminal, where these lines are typed.
  int review(std::deque<std::string> lines, std::vector<std::string> more = {}) {
    cli_.console.output_is_terminal = true;
    cli_.console.error_is_terminal = true;
    cli_.console.read_line =
        [lines](const base::StopToken&) mutable -> base::Result<std::optional<std::string>> {
      if (lines.empty()) return std::optional<std::string>();
      std::string line = lines.front();
      lines.pop_front();
      return std::optional(std::move(line));
    };
    std::vector<std::string> words{"--color", "never", "plan", "review"};
    words.insert(words.end(), more.begin(), more.end());
    return agents(words);
  }
  // What stands in for an editor or a pager: what it was started with is kept.
  void foreground(int code, const std::string& writes = {}) {
    cli_.console.foreground = [this, code,
                               writes](const io::ForegroundProgram& program) -> base::Result<int> {
      programs_.push_back(program);
      if (!writes.empty()) {
        EXPECT_TRUE(io::write_file_atomically(program.argv.back(), writes).ok());
      }
      return code;
    };
  }
  json data() const { return json::parse(cli_.output, nullptr, false)["data"]; }
  json hunks() {
    EXPECT_EQ(agents({"plan", "hunks", "--format", "json"}), 0) << cli_.error_output;
    return data();
  }
  void expect_untouched() const {
    EXPECT_EQ(repository_.read("a.txt"), "1\n2\n3\n4\n5\n6\n7\n");
    EXPECT_EQ(repository_.read("b.txt"), "b\n");
  }

  test::Repository repository_;
  test::CliRun cli_;
  std::filesystem::path script_;
  std::vector<io::ForegroundProgram> programs_;
};

TEST_F(PlanReviewTest, WhatIsAcceptedLands) {
  ASSERT_EQ(review({"n", "y", "n", "y"}), 0) << cli_.error_output;
  EXPECT_EQ(repository_.read("a.txt"), "1\n2\n3\n4\n5\n6\nseven\n");
  EXPECT_EQ(repository_.read("b.txt"), "b\n");
  EXPECT_EQ(repository_.line({"log", "-1", "--format=%s"}), "Change it");
}

TEST_F(PlanReviewTest, QuittingChangesNothing) {
  const json before = hunks();
  EXPECT_EQ(review({"y", "q"}), 5);
  EXPECT_THAT(cli_.output, HasSubstr("Nothing was changed."));
  cli_.console = {};
  EXPECT_EQ(hunks(), before);
  expect_untouched();
}

TEST_F(PlanReviewTest, WithoutATerminalItIsAUsageError) {
  EXPECT_EQ(agents({"plan", "review"}), 2);
  EXPECT_THAT(cli_.error_output, AllOf(HasSubstr("plan hunks"), HasSubstr("apply --hunks")));
}

TEST_F(PlanReviewTest, AnEditLandsInPlaceOfTheFile) {
  foreground(0, "mine\n");
  cli_.set("VISUAL", "my-editor --wait");
  ASSERT_EQ(review({"e", "n", "y"}), 0) << cli_.error_output;
  ASSERT_EQ(programs_.size(), 1U);
  EXPECT_EQ(programs_[0].argv[2], "my-editor --wait \"$@\"");
  EXPECT_THAT(programs_[0].argv.back(), testing::EndsWith("/a.txt"));
  EXPECT_EQ(repository_.read("a.txt"), "mine\n");
  EXPECT_EQ(repository_.read("b.txt"), "b\n");
  EXPECT_FALSE(std::filesystem::exists(programs_[0].argv.back())) << "what was edited is left";
}

TEST_F(PlanReviewTest, AnEditorThatFailsChangesNothing) {
  foreground(1);
  EXPECT_EQ(review({"e", "q"}), 5);
  EXPECT_THAT(cli_.error_output, AllOf(HasSubstr("exit code 1"), HasSubstr("EDITOR")));
}

TEST_F(PlanReviewTest, WhatCannotLandIsNotAnEdit) {
  foreground(0, std::string("a\0b", 3));
  (void)review({"e", "q"});
  EXPECT_THAT(cli_.error_output, HasSubstr("NUL"));
  foreground(0, "<<<<<<< ours\n");
  (void)review({"e", "q"});
  EXPECT_THAT(cli_.error_output, HasSubstr("conflict markers"));
  foreground(0);
  (void)review({"e", "q"});
  EXPECT_THAT(cli_.error_output, HasSubstr("Unchanged."));
}

TEST_F(PlanReviewTest, WithoutATerminalToHandOverThereIsNoEditor) {
  (void)review({"e", "q"});
  EXPECT_THAT(cli_.error_output, HasSubstr("an editor needs a terminal"));
}

TEST_F(PlanReviewTest, NotesGoBackToThePlan) {
  ASSERT_EQ(review({"m why so?", "y", "y", "y", "h"}, {"--script", script_.string()}), 0)
      << cli_.error_output;
  EXPECT_THAT(cli_.error_output, HasSubstr("Because it is better."));
  expect_untouched();
}

TEST_F(PlanReviewTest, SaysBeforehandThatNothingCouldLand) {
  repository_.write("b.txt", "somebody else\n");
  (void)review({"q"});
  EXPECT_THAT(cli_.error_output, AllOf(HasSubstr("is void: b.txt changed since"),
                                       HasSubstr("agents apply --remerge")));
}

TEST_F(PlanReviewTest, OfWhatLandedIsWhatLanded) {
  ASSERT_EQ(agents({"apply", "--yes"}), 0);
  EXPECT_EQ(review({}), 0);
  EXPECT_THAT(cli_.output, HasSubstr("applied"));
}

TEST_F(PlanReviewTest, OfAPlanThatIsOverIsRefused) {
  ASSERT_EQ(agents({"plan", "cancel"}), 0) << cli_.error_output;
  EXPECT_EQ(review({}), 5) << cli_.error_output << cli_.output;
}

TEST_F(PlanReviewTest, HunksAreListedWithTheirIds) {
  const json all = hunks()["hunks"];
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0]["path"], "a.txt");
  EXPECT_EQ(all[0]["state"], "open");
  EXPECT_EQ(all[0]["what"], "lines");
  EXPECT_EQ(all[2]["path"], "b.txt");
  EXPECT_EQ(all[0]["id"].get<std::string>().size(), 16U);
}

TEST_F(PlanReviewTest, AllHunksAreTheWhole) {
  const std::string digest = hunks()["digest"];
  ASSERT_EQ(agents({"apply", "--hunks", "a.txt,b.txt", "--digest", digest, "--format", "json"}), 0)
      << cli_.output;
  EXPECT_EQ(data()["digest"], digest);
  EXPECT_EQ(data()["chosen"]["dropped"], 0);
}

TEST_F(PlanReviewTest, HunksFromAFile) {
  std::ofstream(repository_.path() / "list") << "# mine\nb.txt\n";
  ASSERT_EQ(agents({"apply", "--hunks", "@list", "--yes"}), 0) << cli_.error_output;
  EXPECT_EQ(repository_.read("b.txt"), "B\n");
  EXPECT_EQ(repository_.read("a.txt"), "1\n2\n3\n4\n5\n6\n7\n");
}

TEST_F(PlanReviewTest, AFileOfHunksThatIsNotThereIsAnError) {
  EXPECT_NE(agents({"apply", "--hunks", "@nowhere", "--yes"}), 0);
  expect_untouched();
}

TEST_F(PlanReviewTest, APartAsksAtATerminal) {
  cli_.console.read_line = [](const base::StopToken&) -> base::Result<std::optional<std::string>> {
    return std::optional<std::string>("n");
  };
  EXPECT_EQ(agents({"apply", "--hunks", "b.txt"}), 5);
  EXPECT_THAT(cli_.error_output, AllOf(HasSubstr("Apply 1 of the 3 hunks of plan"),
                                       HasSubstr("b.txt | 2 +-"), Not(HasSubstr("a.txt"))));
  expect_untouched();
}

TEST_F(PlanReviewTest, APartOfWhatMovedOnDoesNotLand) {
  repository_.write("b.txt", "somebody else\n");
  EXPECT_EQ(agents({"apply", "--hunks", "b.txt", "--yes"}), 5);
  EXPECT_THAT(cli_.error_output, HasSubstr("is void: b.txt changed since"));
  EXPECT_EQ(repository_.read("b.txt"), "somebody else\n");
  // What did not move on can still be chosen from what is left.
  EXPECT_EQ(hunks()["hunks"].size(), 3U);
}

TEST_F(PlanReviewTest, DiffOfPaths) {
  ASSERT_EQ(agents({"diff", "--name-only", "b.txt"}), 0);
  EXPECT_EQ(cli_.output, "b.txt\n");
  ASSERT_EQ(agents({"diff", "--name-only", "."}), 0);
  EXPECT_EQ(cli_.output, "a.txt\nb.txt\n");
  EXPECT_EQ(agents({"diff", "--name-only", "nowhere"}), 3);
}

TEST_F(PlanReviewTest, ALongDiffIsPagedAtATerminal) {
  cli_.console.output_is_terminal = true;
  cli_.console.size = [] { return io::TerminalSize{80, 5}; };
  foreground(0);
  ASSERT_EQ(agents({"diff"}), 0) << cli_.error_output;
  ASSERT_EQ(programs_.size(), 1U);
  EXPECT_THAT(programs_[0].argv, ElementsAre("less", "-FRX"));
  EXPECT_THAT(*programs_[0].input, HasSubstr("seven"));
  EXPECT_THAT(cli_.output, IsEmpty());
  cli_.set("PAGER", "more -s");
  ASSERT_EQ(agents({"diff"}), 0);
  EXPECT_THAT(programs_.back().argv, ElementsAre("sh", "-c", "more -s"));
  EXPECT_THAT(*programs_.back().environment, testing::Contains("LESS=FRX"));
}

TEST_F(PlanReviewTest, WithoutAPagerADiffIsPrinted) {
  cli_.console.output_is_terminal = true;
  cli_.console.size = [] { return io::TerminalSize{80, 5}; };
  foreground(127);
  ASSERT_EQ(agents({"diff"}), 0);
  EXPECT_THAT(cli_.output, HasSubstr("seven"));
  programs_.clear();
  ASSERT_EQ(agents({"diff", "--no-pager"}), 0);
  ASSERT_EQ(agents({"diff", "--format", "json"}), 0);
  cli_.set("PAGER", "cat");
  ASSERT_EQ(agents({"diff"}), 0);
  EXPECT_THAT(programs_, IsEmpty());
}

TEST_F(PlanReviewTest, SideBySideByTheSetting) {
  ASSERT_EQ(agents({"config", "set", "diff.layout", "side-by-side"}), 0) << cli_.error_output;
  cli_.console.output_is_terminal = true;
  ASSERT_EQ(agents({"--color", "never", "diff"}), 0);
  EXPECT_THAT(cli_.output, HasSubstr("@@ line 1"));
  cli_.console.output_is_terminal = false;
  ASSERT_EQ(agents({"diff"}), 0);
  EXPECT_THAT(cli_.output, HasSubstr("diff --git a/a.txt b/a.txt"));
}

TEST_F(PlanReviewTest, DroppedPartsStayToBeSeen) {
  ASSERT_EQ(agents({"apply", "--hunks", "b.txt", "--yes"}), 0) << cli_.error_output;
  ASSERT_EQ(agents({"diff", "--dropped", "--name-only"}), 0);
  EXPECT_EQ(cli_.output, "a.txt\n");
  const json all = hunks()["hunks"];
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0]["state"], "applied");
  EXPECT_EQ(all[1]["state"], "dropped");
}

}  // namespace
}  // namespace clever::cli
