#include "service/diff/choosable.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/diff/diff_words.h"
#include "support/file_diffs.h"

namespace clever::service {
namespace {

using test::file_diff;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<diff::FileDiff> some_files() {
  std::vector<diff::FileDiff> files{
      file_diff("src/a.cc", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "one\n2\n3\n4\n5\n6\n7\n8\nnine\n"),
      file_diff("src/b.cc", "b\n", "B\n"), file_diff("tool", "x\n", "x\n")};
  files[2].after->mode = git::FileMode::kExecutable;
  return files;
}

TEST(Choosables, AreHunksAndWhatChangedBesideThem) {
  const auto files = some_files();
  const auto parts = choosables(files);
  ASSERT_EQ(parts.size(), 4U);
  EXPECT_EQ(place_of(parts[0]), "src/a.cc:1");
  EXPECT_EQ(place_of(parts[1]), "src/a.cc:9");
  EXPECT_EQ(what_of(parts[1]), "lines");
  EXPECT_EQ(place_of(parts[3]), "tool");
  EXPECT_EQ(what_of(parts[3]), "mode 100644 → 100755");
  EXPECT_EQ(parts[3].hunk, nullptr);
}

TEST(Choosables, OfALinkAreOne) {
  diff::FileDiff link = file_diff("link", "a", "b");
  link.before->mode = link.after->mode = git::FileMode::kLink;
  for (diff::Hunk& hunk : link.hunks) hunk.id = diff::whole_file_id(link);
  const std::vector<diff::FileDiff> files{link};
  const auto parts = choosables(files);
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_EQ(what_of(parts[0]), "symbolic link");
}

TEST(ChosenIds, ByIdByItsBeginningOrByPath) {
  const auto files = some_files();
  const auto parts = choosables(files);
  EXPECT_THAT(chosen_ids({parts[1].id}, parts).value(), ElementsAre(parts[1].id));
  EXPECT_THAT(chosen_ids({parts[1].id.substr(0, 8)}, parts).value(), ElementsAre(parts[1].id));
  EXPECT_THAT(chosen_ids({"src/a.cc"}, parts).value(), ElementsAre(parts[0].id, parts[1].id));
  EXPECT_THAT(chosen_ids({"./src/"}, parts).value(),
              ElementsAre(parts[0].id, parts[1].id, parts[2].id));
}

TEST(ChosenIds, InTheOrderOfTheFilesAndOnce) {
  const auto files = some_files();
  const auto parts = choosables(files);
  EXPECT_THAT(chosen_ids({"tool", parts[0].id, "src/a.cc"}, parts).value(),
              ElementsAre(parts[0].id, parts[1].id, parts[3].id));
}

TEST(ChosenIds, AWordThatMeansNothingIsAConflictWithWhatIsThere) {
  const auto files = some_files();
  const auto parts = choosables(files);
  for (const char* word : {"0123456789abcdef", "src/a", "sr", "", "abc"}) {
    const auto ids = chosen_ids({word}, parts);
    ASSERT_FALSE(ids.ok()) << word;
    EXPECT_EQ(ids.error().code(), base::ErrorCode::kConflict);
    EXPECT_THAT(ids.error().message(), HasSubstr(parts[0].id + " (src/a.cc:1)"));
  }
}

TEST(ChosenIds, ALongListIsCut) {
  std::vector<diff::FileDiff> files;
  for (int i = 0; i < 20; ++i) files.push_back(file_diff("f" + std::to_string(i), "a\n", "b\n"));
  EXPECT_THAT(chosen_ids({"nothing"}, choosables(files)).error().message(),
              HasSubstr("and 8 more"));
}

TEST(ChosenWords, BetweenCommas) {
  EXPECT_THAT(words_between_commas("a, b,,c"), ElementsAre("a", "b", "c"));
  EXPECT_TRUE(words_between_commas(" , ").empty());
}

TEST(ChosenWords, FromAFileOneALine) {
  const auto read = [](const std::string& name) -> base::Result<std::string> {
    return "# of " + name + "\nsrc/a,b.cc\r\n\n  f00d  \n";
  };
  EXPECT_THAT(chosen_words("@list", read).value(), ElementsAre("src/a,b.cc", "f00d"));
  EXPECT_THAT(chosen_words("x,y", read).value(), ElementsAre("x", "y"));
}

TEST(ChosenWords, AFileThatCannotBeReadIsTheError) {
  const auto read = [](const std::string&) -> base::Result<std::string> {
    return base::not_found("no such file");
  };
  EXPECT_FALSE(chosen_words("@list", read).ok());
}

TEST(DiffWords, SayWhatHappenedToAFile) {
  diff::FileDiff added = file_diff("f", "", "");
  added.before.reset();
  EXPECT_EQ(status_of(added), "added");
  EXPECT_THAT(remarks_on(added), ElementsAre("new file", "empty"));
  diff::FileDiff gone = file_diff("f", "a\n", "");
  gone.after.reset();
  EXPECT_EQ(status_of(gone), "deleted");
  EXPECT_THAT(remarks_on(gone), ElementsAre("deleted"));
  diff::FileDiff moved = file_diff("to", "a\n", "b\n");
  moved.from = "from";
  moved.similarity = 60;
  EXPECT_EQ(status_of(moved), "renamed");
  EXPECT_THAT(remarks_on(moved), ElementsAre("renamed from from, 60 % the same"));
  diff::FileDiff binary = file_diff("f", "a", "bb");
  binary.binary = true;
  EXPECT_THAT(remarks_on(binary), ElementsAre("binary, 1 → 2 bytes"));
  binary.too_large = true;
  EXPECT_THAT(remarks_on(binary), ElementsAre("too large to compare, 1 → 2 bytes"));
  diff::FileDiff module = file_diff("f", "a", "b");
  module.before->mode = module.after->mode = git::FileMode::kSubmodule;
  EXPECT_THAT(remarks_on(module), ElementsAre("submodule"));
}

TEST(DiffDocument, HasTheHunksWithTheirLines) {
  const diff::FileDiff file = file_diff("f", "a\nb\n", "a\nB");
  const Document document = file_document(file);
  const auto& hunks = std::get<Document::List>(document.find("hunks")->value());
  ASSERT_EQ(hunks.size(), 1U);
  EXPECT_EQ(*hunks[0].find("id"), Document(file.hunks[0].id));
  EXPECT_EQ(*hunks[0].find("old_start"), Document(1));
  const auto& lines = std::get<Document::List>(hunks[0].find("lines")->value());
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(*lines[0].find("kind"), Document("context"));
  EXPECT_EQ(*lines[1].find("kind"), Document("removed"));
  EXPECT_EQ(*lines[2].find("kind"), Document("added"));
  EXPECT_EQ(*lines[2].find("text"), Document("B"));
  EXPECT_EQ(document.find("whole"), nullptr);
}

TEST(DiffDocument, NamesWhatChangedBesideTheLines) {
  diff::FileDiff file = file_diff("f", "a\n", "a\n");
  file.after->mode = git::FileMode::kExecutable;
  file.binary = true;
  file.from = "g";
  const Document document = file_document(file);
  ASSERT_NE(document.find("whole"), nullptr);
  EXPECT_EQ(*document.find("whole")->find("id"), Document(diff::whole_file_id(file)));
  EXPECT_EQ(*document.find("binary"), Document(true));
  EXPECT_EQ(*document.find("from"), Document("g"));
}

}  // namespace
}  // namespace clever::service
