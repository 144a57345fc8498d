#include "engine/choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diff/tree_diff.h"
#include "support/trees.h"

namespace clever::engine {
namespace {

using test_trees::File;
using test_trees::Files;
using test_trees::link;
using test_trees::program;
using test_trees::text;
using test_trees::Trees;
using ::testing::HasSubstr;

// What a plan began with and what it made.
class Choice {
 public:
  Choice(const Files& before, const Files& after)
      : base_(trees_.tree(before)), tree_(trees_.tree(after)) {
    files_ = diff::diff_trees(trees_.store(), base_, tree_).value();
  }

  [[nodiscard]] const diff::FileDiff& file(const std::string& path) const {
    for (const diff::FileDiff& each : files_) {
      if (each.path == path) return each;
    }
    ADD_FAILURE() << path << " is not changed";
    return files_.front();
  }
  [[nodiscard]] std::string hunk(const std::string& path, std::size_t index = 0) const {
    return file(path).hunks.at(index).id;
  }
  [[nodiscard]] std::string whole(const std::string& path) const {
    return diff::whole_file_id(file(path));
  }
  [[nodiscard]] std::vector<std::string> all() const {
    std::vector<std::string> ids;
    for (const diff::FileDiff& each : files_) {
      for (std::string& id : diff::choices_of(each)) ids.push_back(std::move(id));
    }
    return ids;
  }

  base::Result<ChosenWork> work(const std::vector<std::string>& keep,
                                const std::vector<plan::Choose::Edit>& edits = {}) {
    return choose_work(trees_.store(), base_, tree_, keep, edits);
  }
  Files only(const std::vector<std::string>& keep,
             const std::vector<plan::Choose::Edit>& edits = {}) {
    return trees_.files(work(keep, edits).value().tree);
  }
  [[nodiscard]] const git::ObjectId& tree() const { return tree_; }

 private:
  Trees trees_;
  git::ObjectId base_;
  git::ObjectId tree_;
  std::vector<diff::FileDiff> files_;
};

const std::string kNine = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";

TEST(ChooseWork, OnlyTheChosenHunks) {
  Choice choice({{"a", text(kNine)}, {"b", text("b\n")}},
                {{"a", text("one\n2\n3\n4\n5\n6\n7\n8\nnine\n")}, {"b", text("B\n")}});
  EXPECT_EQ(choice.only({choice.hunk("a", 1)}),
            (Files{{"a", text("1\n2\n3\n4\n5\n6\n7\n8\nnine\n")}, {"b", text("b\n")}}));
}

TEST(ChooseWork, CountsWhatIsKeptAndWhatIsNot) {
  Choice choice({{"a", text(kNine)}, {"b", text("b\n")}},
                {{"a", text("one\n2\n3\n4\n5\n6\n7\n8\nnine\n")}, {"b", text("B\n")}});
  const ChosenWork work = choice.work({choice.hunk("a"), choice.hunk("a")}).value();
  EXPECT_EQ(work.kept, 1);
  EXPECT_EQ(work.dropped, 2);
}

TEST(ChooseWork, AllOfItIsTheTree) {
  Choice choice({{"a", text("a\r\nb\r\n")},
                 {"gone", text("x\n")},
                 {"old", text(kNine)},
                 {"run", text("#!\n")},
                 {"link", link("a")},
                 {"image", {.content = std::string("\0\1", 2)}}},
                {{"a", text("a\r\nB\r\n")},
                 {"new", text("n")},
                 {"renamed", text(kNine + "ten\n")},
                 {"run", program("#!\n")},
                 {"link", link("b")},
                 {"image", {.content = std::string("\0\2", 2)}}});
  EXPECT_EQ(choice.work(choice.all()).value().tree, choice.tree());
}

TEST(ChooseWork, CarriageReturnsStay) {
  Choice choice({{"a", text("1\r\n2\r\n3\r\n4\r\n5\r\n")}},
                {{"a", text("one\r\n2\r\n3\r\n4\r\nfive\r\n")}});
  EXPECT_EQ(choice.only({choice.hunk("a", 0)}),
            (Files{{"a", text("one\r\n2\r\n3\r\n4\r\n5\r\n")}}));
}

TEST(ChooseWork, AMissingLineEndStaysMissing) {
  Choice choice({{"a", text("1\n2\n3\n4\n5")}}, {{"a", text("one\n2\n3\n4\nfive")}});
  EXPECT_EQ(choice.only({choice.hunk("a", 0)}), (Files{{"a", text("one\n2\n3\n4\n5")}}));
  EXPECT_EQ(choice.only({choice.hunk("a", 1)}), (Files{{"a", text("1\n2\n3\n4\nfive")}}));
}

TEST(ChooseWork, ABinaryFileIsTakenWholly) {
  const File before{.content = std::string("\0a", 2)};
  const File after{.content = std::string("\0b", 2)};
  Choice choice({{"a", before}, {"t", text("t\n")}}, {{"a", after}, {"t", text("T\n")}});
  EXPECT_EQ(choice.only({choice.whole("a")}), (Files{{"a", after}, {"t", text("t\n")}}));
  EXPECT_EQ(choice.only({choice.hunk("t")}), (Files{{"a", before}, {"t", text("T\n")}}));
}

TEST(ChooseWork, ARenameWithoutItsLinesAndItsLinesWithoutIt) {
  Choice choice({{"old", text(kNine)}}, {{"new", text("one\n2\n3\n4\n5\n6\n7\n8\n9\n")}});
  EXPECT_EQ(choice.only({choice.whole("new")}), (Files{{"new", text(kNine)}}));
  EXPECT_EQ(choice.only({choice.hunk("new")}),
            (Files{{"old", text("one\n2\n3\n4\n5\n6\n7\n8\n9\n")}}));
}

TEST(ChooseWork, AModeIsAPartOfItsOwn) {
  Choice choice({{"run", text("a\n")}}, {{"run", program("b\n")}});
  EXPECT_EQ(choice.only({choice.whole("run")}), (Files{{"run", program("a\n")}}));
  EXPECT_EQ(choice.only({choice.hunk("run")}), (Files{{"run", text("b\n")}}));
}

TEST(ChooseWork, ALinkIsOnePart) {
  Choice choice({{"l", link("a")}, {"t", text("t\n")}}, {{"l", link("b")}, {"t", text("T\n")}});
  EXPECT_EQ(choice.only({choice.whole("l")}), (Files{{"l", link("b")}, {"t", text("t\n")}}));
}

TEST(ChooseWork, NewAndDeletedFiles) {
  Choice choice({{"gone", text("x\n")}, {"t", text("t\n")}},
                {{"new", text("completely different\n")}, {"t", text("t\n")}});
  EXPECT_EQ(choice.only({choice.hunk("gone")}), (Files{{"t", text("t\n")}}));
  EXPECT_EQ(
      choice.only({choice.hunk("new")}),
      (Files{{"gone", text("x\n")}, {"new", text("completely different\n")}, {"t", text("t\n")}}));
}

TEST(ChooseWork, AnEditTakesTheFilesPlace) {
  Choice choice({{"a", text("a\n")}, {"b", text("b\n")}}, {{"a", text("A\n")}, {"b", text("B\n")}});
  EXPECT_EQ(choice.only({choice.hunk("a")}, {{"a", "mine"}}),
            (Files{{"a", text("mine")}, {"b", text("b\n")}}));
}

TEST(ChooseWork, AnEditedFileKeepsTheModeAndNameThatWereChosen) {
  Choice choice({{"old", text(kNine)}, {"run", text("a\n")}},
                {{"new", text("one\n2\n3\n4\n5\n6\n7\n8\n9\n")}, {"run", program("b\n")}});
  EXPECT_EQ(choice.only({choice.whole("new"), choice.whole("run")},
                        {{"new", "mine\n"}, {"run", "mine\n"}}),
            (Files{{"new", text("mine\n")}, {"run", program("mine\n")}}));
  EXPECT_EQ(choice.only({}, {{"new", "mine\n"}, {"run", "mine\n"}}),
            (Files{{"old", text("mine\n")}, {"run", text("mine\n")}}));
}

TEST(ChooseWork, ANewOrDeletedFileCanBeEdited) {
  Choice choice({{"gone", program("x\n")}}, {{"new", text("completely different\n")}});
  EXPECT_EQ(choice.only({}, {{"gone", "kept\n"}, {"new", "mine\n"}}),
            (Files{{"gone", program("kept\n")}, {"new", text("mine\n")}}));
}

TEST(ChooseWork, AnIdThatIsNotThereIsAConflict) {
  Choice choice({{"a", text("a\n")}}, {{"a", text("A\n")}});
  const auto work = choice.work({"0123456789abcdef"});
  ASSERT_FALSE(work.ok());
  EXPECT_EQ(work.error().code(), base::ErrorCode::kConflict);
  EXPECT_THAT(work.error().message(), HasSubstr("no hunk 0123456789abcdef"));
}

TEST(ChooseWork, AFileThatThePlanDidNotChangeCannotBeEdited) {
  Choice choice({{"a", text("a\n")}, {"b", text("b\n")}, {"l", link("x")}},
                {{"a", text("A\n")}, {"b", text("b\n")}, {"l", link("y")}});
  for (const char* path : {"b", "l", "nowhere"}) {
    const auto work = choice.work({choice.hunk("a")}, {{path, "mine"}});
    ASSERT_FALSE(work.ok()) << path;
    EXPECT_EQ(work.error().code(), base::ErrorCode::kConflict);
  }
}

}  // namespace
}  // namespace clever::engine
