#include "context/history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "context/internal/history_cache.h"
#include "io/file.h"
#include "support/repository.h"

namespace clever::context {
namespace {

using base::ErrorCode;
using test::Repository;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class HistoryTest : public testing::Test {
 protected:
  std::string commit(const std::string& message, const std::vector<std::string>& paths) {
    for (const std::string& path : paths) {
      repository.write(path, path + " as of change " + std::to_string(++changes_) + "\n" +
                                 std::string(400, 'x') + "\n");
    }
    return repository.commit(message);
  }
  std::shared_ptr<const History> read(History::Options options = {}) const {
    auto history = History::read(git::Project::find(repository.path()).value(), options);
    EXPECT_TRUE(history.ok()) << history.error().to_string();
    return std::move(history).value();
  }
  History::Options kept() const { return {.folder = repository.beside("kept")}; }

  const Repository repository;

 private:
  int changes_ = 0;
};

std::vector<std::string> scored_paths(const std::vector<History::PathScore>& scores) {
  std::vector<std::string> paths;
  for (const auto& score : scores) paths.push_back(score.path);
  return paths;
}

std::string history_text(const History& history) {
  std::string text = std::to_string(history.commits()) + "\n";
  const auto add = [&](const std::vector<History::PathScore>& scores) {
    for (const auto& score : scores) {
      text += score.path + " " + std::to_string(score.score) + " " + score.commit + "\n";
    }
  };
  add(history.related("parser lexer network timeout", 20));
  add(history.together({"parser.cc"}, 20));
  return text;
}

TEST_F(HistoryTest, IsEmptyForAPlainFolderAndBeforeTheFirstCommit) {
  EXPECT_EQ(read()->commits(), 0U);
  const Repository folder(Repository::Kind::kPlainFolder);
  const auto project = git::Project::find(folder.path()).value();
  const auto history = History::read(project, {}).value();
  EXPECT_EQ(history->commits(), 0U);
  EXPECT_THAT(history->related("anything", 10), IsEmpty());
  EXPECT_THAT(history->together({"a"}, 10), IsEmpty());
  EXPECT_EQ(history->recency("a"), 0);
}

TEST_F(HistoryTest, LeadsFromWordsToTheFilesThatSuchCommitsChanged) {
  commit("network: retry after a timeout", {"net/retry.cc", "net/client.cc"});
  const std::string id = commit("Parse quoted strings in the lexer", {"lexer.cc"});
  commit("Write the manual", {"README.md"});
  const auto related = read()->related("the lexer fails while parsing a string", 10);
  ASSERT_FALSE(related.empty());
  EXPECT_EQ(related[0].path, "lexer.cc");
  EXPECT_EQ(related[0].subject, "Parse quoted strings in the lexer");
  EXPECT_TRUE(id.starts_with(related[0].commit));
  EXPECT_GE(related[0].commit.size(), 7U);
  EXPECT_THAT(scored_paths(read()->related("timeouts", 10)),
              ElementsAre("net/client.cc", "net/retry.cc"));
  EXPECT_THAT(read()->related("", 10), IsEmpty());
  EXPECT_THAT(read()->related("unheard", 10), IsEmpty());
}

TEST_F(HistoryTest, KeepsToTheLimit) {
  commit("parser", {"a", "b", "c", "d"});
  EXPECT_THAT(scored_paths(read()->related("parser", 2)), ElementsAre("a", "b"));
  EXPECT_THAT(read()->related("parser", 0), IsEmpty());
}

TEST_F(HistoryTest, TrustsCommitsOfFewFilesMore) {
  commit("tidy the scheduler", {"a", "b", "c", "d", "e", "f"});
  commit("tidy the scheduler", {"own.cc"});
  EXPECT_EQ(read()->related("scheduler", 1)[0].path, "own.cc");
}

TEST_F(HistoryTest, TrustsNewCommitsMore) {
  commit("tidy the scheduler", {"old.cc"});
  for (int i = 0; i < 5; ++i) commit("else", {"other.cc"});
  commit("tidy the scheduler", {"young.cc"});
  EXPECT_THAT(scored_paths(read()->related("scheduler", 2)), ElementsAre("young.cc", "old.cc"));
}

TEST_F(HistoryTest, FollowsRenames) {
  commit("Parse the header", {"old/parser.cc", "stay.cc"});
  repository.git({"mv", "old", "middle"});
  repository.commit("Move");
  repository.git({"mv", "middle", "new"});
  repository.commit("Move again");
  commit("A new file under the old name", {"old/parser.cc"});
  EXPECT_THAT(scored_paths(read()->related("header parsing", 5)),
              ElementsAre("new/parser.cc", "stay.cc"));
}

TEST_F(HistoryTest, FollowsARenameWithinACommitOfManyFiles) {
  commit("Parse the header", {"src/parser.cc"});
  std::vector<std::string> many;
  for (int i = 0; i < 10; ++i) many.push_back("many/" + std::to_string(i));
  commit("Import", many);
  repository.git({"mv", "src", "lib"});
  repository.git({"mv", "many", "more"});
  repository.commit("Reorganise everything");
  const auto history = read({.most_files = 5});
  EXPECT_THAT(scored_paths(history->related("header", 5)), ElementsAre("lib/parser.cc"));
  EXPECT_THAT(history->related("import", 5), IsEmpty());
}

TEST_F(HistoryTest, ForgetsFilesThatAreGone) {
  commit("Parse the header", {"parser.cc", "gone.cc"});
  repository.remove("gone.cc");
  repository.commit("Remove what is not needed");
  EXPECT_THAT(scored_paths(read()->related("header", 5)), ElementsAre("parser.cc"));
  commit("Bring it back", {"gone.cc"});
  EXPECT_THAT(scored_paths(read()->related("header", 5)), Contains("gone.cc"));
}

TEST_F(HistoryTest, ReadsNothingForMachines) {
  commit("Fix it\n\nReviewed-by: Wolfgang Specht <w@example.org>\nChange-Id: Iabcdefg\n", {"a"});
  const auto history = read();
  EXPECT_THAT(history->related("wolfgang specht", 5), IsEmpty());
  EXPECT_THAT(history->related("iabcdefg", 5), IsEmpty());
  EXPECT_EQ(history->related("fix", 5).size(), 1U);
}

TEST_F(HistoryTest, CountsTheSubjectForMoreThanTheBody) {
  commit("Rework the planner\n\nIt also touches what pertains to lunch breaks.", {"planner.cc"});
  commit("Rework lunch breaks\n\nIt also touches what pertains to the planner.", {"lunch.cc"});
  EXPECT_EQ(read()->related("planner", 1)[0].path, "planner.cc");
}

TEST_F(HistoryTest, SaysWhatChangesTogether) {
  for (int i = 0; i < 4; ++i) commit("pair", {"a.cc", "a.h", "CHANGES"});
  for (int i = 0; i < 20; ++i) commit("else", {"b" + std::to_string(i), "CHANGES"});
  const auto with = read()->together({"a.cc", "unknown"}, 10);
  EXPECT_THAT(scored_paths(with), ElementsAre("a.h", "CHANGES"));
  EXPECT_GT(with[0].score, with[1].score);
  EXPECT_LE(with[0].score, 1.0);
  EXPECT_EQ(with[0].subject, "pair");
}

TEST_F(HistoryTest, SaysHowRecentAChangeIs) {
  commit("one", {"old.cc"});
  for (int i = 0; i < 3; ++i) commit("two", {"middle.cc"});
  commit("three", {"new.cc"});
  const auto history = read();
  EXPECT_EQ(history->recency("new.cc"), 1.0);
  EXPECT_LT(history->recency("middle.cc"), 1.0);
  EXPECT_LT(history->recency("old.cc"), history->recency("middle.cc"));
  EXPECT_GT(history->recency("old.cc"), 0);
  EXPECT_EQ(history->recency("unknown.cc"), 0);
}

TEST_F(HistoryTest, SeesOnlyWhatTheCommitLedTo) {
  commit("the parser", {"parser.cc"});
  const std::string past = repository.line({"rev-parse", "HEAD"});
  repository.git({"checkout", "--quiet", "-b", "side"});
  commit("the parser on a branch", {"side.cc"});
  repository.git({"checkout", "--quiet", "main"});
  commit("the parser again", {"main.cc"});
  EXPECT_THAT(scored_paths(read(kept())->related("parser", 5)),
              UnorderedElementsAre("main.cc", "parser.cc"));
  History::Options earlier = kept();
  earlier.commit = git::ObjectId::from_hex(past).value();
  EXPECT_THAT(scored_paths(read(earlier)->related("parser", 5)), ElementsAre("parser.cc"));
  repository.git({"checkout", "--quiet", "side"});
  EXPECT_THAT(scored_paths(read(kept())->related("parser", 5)),
              UnorderedElementsAre("side.cc", "parser.cc"));
}

TEST_F(HistoryTest, HoldsAtMostTheNewestCommits) {
  commit("oldest parser", {"oldest.cc"});
  commit("older parser", {"older.cc"});
  commit("new parser", {"new.cc"});
  const auto history = read({.most_commits = 2});
  EXPECT_EQ(history->commits(), 2U);
  EXPECT_THAT(scored_paths(history->related("parser", 5)), ElementsAre("new.cc", "older.cc"));
}

TEST_F(HistoryTest, TheCacheChangesNoAnswer) {
  commit("the parser", {"parser.cc", "lexer.cc"});
  commit("network timeout", {"net.cc", "lexer.cc"});
  EXPECT_EQ(history_text(*read(kept())), history_text(*read()));
  EXPECT_EQ(history_text(*read(kept())), history_text(*read()));
  commit("lexer of the parser", {"lexer.cc", "parser.cc"});
  repository.git({"mv", "net.cc", "network.cc"});
  repository.commit("rename");
  EXPECT_EQ(history_text(*read(kept())), history_text(*read()));
  repository.git({"reset", "--quiet", "--hard", "HEAD~2"});
  EXPECT_EQ(history_text(*read(kept())), history_text(*read()));
  repository.git({"checkout", "--quiet", "-b", "side"});
  commit("a timeout of the lexer", {"parser.cc", "side.cc"});
  EXPECT_EQ(history_text(*read(kept())), history_text(*read()));
  repository.git({"checkout", "--quiet", "main"});
  commit("a parser on main", {"main.cc"});
  repository.git({"merge", "--quiet", "--no-edit", "side"});
  EXPECT_EQ(history_text(*read(kept())), history_text(*read()));
}

TEST_F(HistoryTest, ReadsOnlyWhatIsNew) {
  commit("the parser", {"parser.cc"});
  (void)read(kept());
  const auto file = repository.beside("kept") / "history";
  const internal::CacheKey key{History::Options{}.most_commits, History::Options{}.most_files};
  auto table = internal::cache_from(io::read_file(file).value(), key).value();
  table.commits.at(0).subject = "from the file";
  ASSERT_TRUE(io::write_file_atomically(file, internal::cache_bytes(table, key)).ok());
  commit("the lexer", {"lexer.cc"});
  EXPECT_EQ(read(kept())->related("parser", 1).at(0).subject, "from the file");
  EXPECT_EQ(read(kept())->related("lexer", 1).at(0).subject, "the lexer");
}

TEST_F(HistoryTest, ReadsAgainWhatDoesNotVerify) {
  commit("the parser", {"parser.cc"});
  const auto good = history_text(*read(kept()));
  const auto file = repository.beside("kept") / "history";
  std::ofstream(file, std::ios::app) << "x";
  EXPECT_EQ(history_text(*read(kept())), good);
  std::ofstream(file) << "nonsense";
  EXPECT_EQ(history_text(*read(kept())), good);
  EXPECT_GT(std::filesystem::file_size(file), 50U);
}

TEST_F(HistoryTest, ReadsAgainWhenAHeadIsGone) {
  commit("the parser", {"parser.cc"});
  (void)read(kept());
  repository.git({"checkout", "--quiet", "--orphan", "fresh"});
  commit("another beginning of the lexer", {"lexer.cc"});
  repository.git({"branch", "--quiet", "-D", "main"});
  repository.git({"reflog", "expire", "--expire=now", "--all"});
  repository.git({"gc", "--quiet", "--prune=now"});
  EXPECT_EQ(history_text(*read(kept())), history_text(*read()));
  EXPECT_EQ(read(kept())->commits(), 1U);
}

TEST_F(HistoryTest, ReadsAgainForAHeadThatACutTableHardlyKnows) {
  for (int i = 0; i < 12; ++i) commit("parser " + std::to_string(i), {"p" + std::to_string(i)});
  History::Options options = kept();
  options.most_commits = 4;
  EXPECT_EQ(read(options)->commits(), 4U);
  repository.git({"checkout", "--quiet", "HEAD~8"});
  EXPECT_EQ(read(options)->commits(), 4U);
  repository.git({"checkout", "--quiet", "HEAD~2"});
  EXPECT_EQ(read(options)->commits(), 2U);
}

TEST_F(HistoryTest, LivesWithAFolderThatCannotBeWritten) {
  commit("the parser", {"parser.cc"});
  repository.write("in_the_way", "");
  EXPECT_EQ(read({.folder = repository.path() / "in_the_way" / "kept"})->commits(), 1U);
}

TEST_F(HistoryTest, TakesWhateverPeopleWrite) {
  commit(
      "\xC3\x9C"
      "bersetzung \xE6\x97\xA5\xE6\x9C\xAC: na\xC3\xAFve",
      {"a b\n\"c\".txt"});
  repository.git({"commit", "--quiet", "--allow-empty", "--allow-empty-message", "-m", ""});
  const auto related = read()->related(
      "\xC3\x9C"
      "bersetzung",
      5);
  ASSERT_EQ(related.size(), 1U);
  EXPECT_EQ(related[0].path, "a b\n\"c\".txt");
}

TEST_F(HistoryTest, DoesWithoutContentsThatAreMissing) {
  commit("Parse the header", {"old.cc", "equal.cc"});
  const std::string blob = repository.line({"rev-parse", "HEAD:old.cc"});
  repository.git({"mv", "old.cc", "new.cc"});
  repository.git({"mv", "equal.cc", "same.cc"});
  commit("Move", {"new.cc"});
  std::filesystem::remove(repository.path() / ".git/objects" / blob.substr(0, 2) / blob.substr(2));
  EXPECT_THAT(scored_paths(read()->related("header", 5)), ElementsAre("same.cc"));
}

TEST_F(HistoryTest, CanBeStopped) {
  commit("the parser", {"parser.cc"});
  base::StopSource stop;
  stop.request_stop();
  const auto project = git::Project::find(repository.path()).value();
  EXPECT_EQ(History::read(project, {}, stop.token()).error().code(), ErrorCode::kCancelled);
}

TEST_F(HistoryTest, SaysThatACommitIsUnknown) {
  commit("the parser", {"parser.cc"});
  History::Options options;
  options.commit = git::ObjectId::from_hex(std::string(40, 'a')).value();
  const auto project = git::Project::find(repository.path()).value();
  const auto error = History::read(project, options).error();
  EXPECT_THAT(error.message(), testing::HasSubstr("git log failed"));
}

}  // namespace
}  // namespace clever::context
