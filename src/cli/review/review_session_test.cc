#include "cli/review/review_session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>

#include "support/file_diffs.h"

namespace clever::cli {
namespace {

using End = ReviewOutcome::End;
using test::file_diff;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// Three hunks in two files, and a mode. The person types the lines, then goes away.
class Review {
 public:
  explicit Review(std::deque<std::string> lines) : lines_(std::move(lines)) {
    files_ = {file_diff("a.cc", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "one\n2\n3\n4\n5\n6\n7\n8\nnine\n"),
              file_diff("b.cc", "b\n", "B\n"), file_diff("tool", "x\n", "x\n")};
    files_[2].after->mode = git::FileMode::kExecutable;
    parts_ = service::choosables(files_);
    screen_.error_output = [this](std::string_view text) -> base::Result<void> {
      shown.append(text);
      return {};
    };
    screen_.read_line = [this](const base::StopToken&) -> base::Result<std::optional<std::string>> {
      if (lines_.empty()) return std::optional<std::string>();
      std::string line = lines_.front();
      lines_.pop_front();
      return std::optional(std::move(line));
    };
    effects.content = [this](const diff::FileDiff& file,
                             const std::vector<std::string>& keep) -> base::Result<std::string> {
      kept_for_edit = keep;
      return "content of " + file.path + "\n";
    };
    effects.edit = [](const diff::FileDiff&,
                      const std::string& content) -> base::Result<std::optional<std::string>> {
      return std::optional(content + "and mine\n");
    };
    effects.stat = [](const std::vector<std::string>& keep,
                      const std::vector<plan::Choose::Edit>& edits) -> base::Result<std::string> {
      return "stat of " + std::to_string(keep.size()) + " and " + std::to_string(edits.size()) +
             "\n";
    };
  }

  ReviewOutcome run() {
    return ReviewSession(parts_, screen_, effects, base::StopToken()).run().value();
  }
  [[nodiscard]] std::string id(std::size_t index) const { return parts_[index].id; }

  ReviewEffects effects;
  std::string shown;
  std::vector<std::string> kept_for_edit;

 private:
  std::deque<std::string> lines_;
  std::vector<diff::FileDiff> files_;
  std::vector<service::Choosable> parts_;
  Screen screen_;
};

TEST(ReviewSession, WhatIsAcceptedIsKept) {
  Review review({"y", "n", "Y", "n", "y"});
  const ReviewOutcome outcome = review.run();
  EXPECT_EQ(outcome.end, End::kApply);
  EXPECT_THAT(outcome.keep, ElementsAre(review.id(0), review.id(2)));
  EXPECT_THAT(review.shown, HasSubstr("2 of 4 parts accepted, 2 rejected"));
  EXPECT_THAT(review.shown, HasSubstr("stat of 2 and 0"));
}

TEST(ReviewSession, ShowsHunkByHunk) {
  Review review({"q"});
  (void)review.run();
  EXPECT_THAT(review.shown, HasSubstr("a.cc"));
  EXPECT_THAT(review.shown, HasSubstr("-1\n+one\n"));
  EXPECT_THAT(review.shown, HasSubstr("(1/4) Accept this hunk"));
  EXPECT_THAT(review.shown, Not(HasSubstr("+nine")));
}

TEST(ReviewSession, QuittingChangesNothing) {
  Review review({"y", "q"});
  const ReviewOutcome outcome = review.run();
  EXPECT_EQ(outcome.end, End::kQuit);
  EXPECT_THAT(outcome.keep, IsEmpty());
}

TEST(ReviewSession, WhoGoesAwayChangesNothing) {
  Review review({"y", "y", "y", "y"});
  EXPECT_EQ(review.run().end, End::kQuit);
  Review nobody({});
  EXPECT_EQ(nobody.run().end, End::kQuit);
}

TEST(ReviewSession, RestOfTheFileAtOnce) {
  Review accepted({"a", "d", "n", "y"});
  EXPECT_THAT(accepted.run().keep, ElementsAre(accepted.id(0), accepted.id(1)));
  Review rejected({"d", "y", "n", "y"});
  EXPECT_THAT(rejected.run().keep, ElementsAre(rejected.id(2)));
}

TEST(ReviewSession, BackChangesAnAnswer) {
  Review review({"y", "b", "n", "y", "n", "n", "y"});
  EXPECT_THAT(review.run().keep, ElementsAre(review.id(1)));
  EXPECT_THAT(review.shown, HasSubstr("accepted so far"));
}

TEST(ReviewSession, BackAtTheBeginStaysThere) {
  Review review({"b", "y", "n", "n", "n", "y"});
  EXPECT_THAT(review.run().keep, ElementsAre(review.id(0)));
}

TEST(ReviewSession, BackFromTheEndShowsTheLast) {
  Review review({"n", "n", "n", "n", "b", "y", "y"});
  EXPECT_THAT(review.run().keep, ElementsAre(review.id(3)));
  EXPECT_THAT(review.shown, HasSubstr("rejected so far"));
}

TEST(ReviewSession, JumpsToAFileAndComesBackForWhatIsOpen) {
  Review review({"g b.cc", "y", "n", "n", "n", "y"});
  EXPECT_THAT(review.run().keep, ElementsAre(review.id(2)));
}

TEST(ReviewSession, JumpingNowhereListsTheFiles) {
  Review review({"g nowhere", "g", "q"});
  (void)review.run();
  EXPECT_THAT(review.shown,
              HasSubstr("No such file: 'nowhere'. There are:\n  a.cc\n  b.cc\n  tool\n"));
}

TEST(ReviewSession, AnEditedFileIsDecided) {
  Review review({"e", "n", "n", "y"});
  const ReviewOutcome outcome = review.run();
  EXPECT_EQ(outcome.end, End::kApply);
  EXPECT_THAT(outcome.edits,
              ElementsAre(plan::Choose::Edit{"a.cc", "content of a.cc\nand mine\n"}));
  EXPECT_THAT(review.shown, HasSubstr("1 file edited"));
}

TEST(ReviewSession, WhatWasRejectedIsNotInTheEditor) {
  Review review({"n", "e", "n", "n", "y"});
  (void)review.run();
  EXPECT_THAT(review.kept_for_edit, ElementsAre(review.id(1), review.id(2), review.id(3)));
}

TEST(ReviewSession, AnAnswerTakesAnEditBack) {
  Review review({"e", "b", "n", "n", "n", "q"});
  (void)review.run();
  EXPECT_THAT(review.shown, HasSubstr("you edited this file"));
  EXPECT_THAT(review.shown, Not(HasSubstr("1 file edited")));
}

TEST(ReviewSession, EditingAgainContinuesWithTheEdit) {
  Review review({"e", "b", "e", "n", "n", "y"});
  EXPECT_THAT(review.run().edits,
              ElementsAre(plan::Choose::Edit{"a.cc", "content of a.cc\nand mine\nand mine\n"}));
}

TEST(ReviewSession, AnEditThatChangesNothingDoesNotCount) {
  Review review({"e", "q"});
  review.effects.edit = [](const auto&, const auto&) -> base::Result<std::optional<std::string>> {
    return std::optional<std::string>();
  };
  EXPECT_THAT(review.run().edits, IsEmpty());
  EXPECT_THAT(review.shown, HasSubstr("Unchanged."));
}

TEST(ReviewSession, AnEditThatFailsIsReported) {
  Review review({"e", "q"});
  review.effects.edit = [](const auto&, const auto&) -> base::Result<std::optional<std::string>> {
    return base::unavailable("the editor is on holiday");
  };
  (void)review.run();
  EXPECT_THAT(review.shown, HasSubstr("the editor is on holiday"));
}

TEST(ReviewSession, AChangeWithoutLinesIsNotEdited) {
  Review review({"g tool", "e", "q"});
  (void)review.run();
  EXPECT_THAT(review.shown, HasSubstr("has no lines to edit"));
}

TEST(ReviewSession, NotesAreHandedBackWithTheirPlaces) {
  Review review({"m", "m why not 1?", "n", "n", "n", "n", "y", "h"});
  const ReviewOutcome outcome = review.run();
  EXPECT_EQ(outcome.end, End::kHandBack);
  EXPECT_THAT(outcome.notes, HasSubstr("About a.cc:1: why not 1?\n"));
  EXPECT_THAT(outcome.notes, HasSubstr("-1\n+one\n"));
  EXPECT_THAT(review.shown, HasSubstr("1 note"));
}

TEST(ReviewSession, NotesAboutAWholeFileHaveNoLines) {
  Review review({"g tool", "m why?", "y", "n", "n", "n", "h"});
  EXPECT_EQ(review.run().notes, "About tool: why?\n");
}

TEST(ReviewSession, WithNothingAcceptedNothingCanBeApplied) {
  Review review({"d", "n", "n", "y", "q"});
  EXPECT_EQ(review.run().end, End::kQuit);
  EXPECT_THAT(review.shown, HasSubstr("`agents plan cancel`"));
}

TEST(ReviewSession, AnythingElseIsHelp) {
  Review review({"?", "", "x", "q"});
  (void)review.run();
  EXPECT_THAT(review.shown, HasSubstr("q  quit: nothing changes"));
}

}  // namespace
}  // namespace clever::cli
