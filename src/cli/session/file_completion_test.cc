#include "cli/session/file_completion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/repository.h"

namespace clever::cli {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::vector<std::string> kProjectFiles{"README.md",     "src/lexer.cc",   "src/lexer.h",
                                             "src/parser.cc", "test/größe.txt", "test/größte.txt"};

// What Tab makes of a text with the cursor at its end.
void check_completion(const std::string& text, const std::string& expected,
                      const std::vector<std::string>& choices = {}) {
  const Completion completion = complete_file(text, text.size(), kProjectFiles);
  EXPECT_EQ(completion.text, expected);
  EXPECT_EQ(completion.cursor, completion.text.size());
  EXPECT_EQ(completion.choices, choices);
}

TEST(FileCompletionTest, CertainNamesAreCompleted) {
  check_completion("look at @RE", "look at @README.md ");
  check_completion("@src/p", "@src/parser.cc ");
}

TEST(FileCompletionTest, UncertainOnesAsFarAsTheyAre) {
  check_completion("@src/l", "@src/lexer.", {"src/lexer.cc", "src/lexer.h"});
  check_completion("@src/lexer.", "@src/lexer.", {"src/lexer.cc", "src/lexer.h"});
}

TEST(FileCompletionTest, NamesWithoutTheirFolder) {
  check_completion("@pars", "@src/parser.cc ");
  check_completion("@arser", "@src/parser.cc ");
  check_completion("@exer", "@exer", {"src/lexer.cc", "src/lexer.h"});
}

TEST(FileCompletionTest, NotWithinACharacter) {
  check_completion("@test/gr", "@test/größ", {"test/größe.txt", "test/größte.txt"});
}

TEST(FileCompletionTest, OtherWordsStayAsTheyAre) {
  check_completion("src/p", "src/p");
  check_completion("@nowhere", "@nowhere");
  check_completion("", "");
}

TEST(FileCompletionTest, TheRestOfTheLineStays) {
  const Completion completion = complete_file("see @RE now", 7, kProjectFiles);
  EXPECT_EQ(completion.text, "see @README.md  now");
  EXPECT_EQ(completion.cursor, 15U);
}

TEST(FileCompletionTest, ManyAreNotAllShown) {
  std::vector<std::string> many;
  for (int i = 100; i < 130; ++i) many.push_back("f" + std::to_string(i));
  const Completion completion = complete_file("@f", 2, many);
  EXPECT_EQ(completion.text, "@f1");
  EXPECT_EQ(completion.choices.back(), "… and 18 more");
}

TEST(ProjectFilesTest, OfARepositoryWhatIsNotIgnored) {
  const test::Repository repository;
  repository.write("b.txt", "b");
  repository.write("a/c d.txt", "c");
  repository.write(".gitignore", "ignored\n");
  repository.write("ignored", "x");
  const auto project = git::Project::find(repository.path()).value();
  EXPECT_THAT(project_files(project, {}).value(), ElementsAre(".gitignore", "a/c d.txt", "b.txt"));
}

TEST(ProjectFilesTest, OfAFolderWhatIsNotHidden) {
  const test::Repository folder(test::Repository::Kind::kPlainFolder);
  folder.write("b.txt", "b");
  folder.write("a/c.txt", "c");
  folder.write(".hidden/x", "x");
  const auto project = git::Project::find(folder.path()).value();
  EXPECT_THAT(project_files(project, {}).value(), ElementsAre("a/c.txt", "b.txt"));
}

}  // namespace
}  // namespace clever::cli
