#include "git/history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "git/internal/blame_output.h"
#include "support/repository.h"
#include "support/tree_paths.h"

namespace clever::git {
namespace {

using base::ErrorCode;
using test::path_of;
using test::Repository;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Project project_of(const Repository& repository) {
  return Project::find(repository.path()).value();
}

TEST(Log, TellsCommitsNewestFirst) {
  const Repository repository;
  repository.write("a", "1");
  repository.commit("first");
  repository.write("b", "1");
  const std::string second = repository.commit("second: ünicode\n\nbody");
  const Log all = log(project_of(repository), std::nullopt, 10).value();
  ASSERT_THAT(all.entries, SizeIs(2));
  EXPECT_FALSE(all.truncated);
  EXPECT_EQ(all.entries[0].id.to_hex(), second);
  EXPECT_EQ(all.entries[0].author, "Ada");
  EXPECT_EQ(all.entries[0].email, "ada@example.org");
  EXPECT_EQ(all.entries[0].subject, "second: ünicode");
  EXPECT_THAT(all.entries[0].date, HasSubstr("T"));
  EXPECT_EQ(all.entries[1].subject, "first");
}

TEST(Log, TellsThoseOfOnePath) {
  const Repository repository;
  repository.write("a*", "1");
  repository.commit("first");
  repository.write("ab", "1");
  repository.commit("second");
  const Log found = log(project_of(repository), path_of("a*"), 10).value();
  ASSERT_THAT(found.entries, SizeIs(1));
  EXPECT_EQ(found.entries[0].subject, "first");
  EXPECT_THAT(log(project_of(repository), path_of("never"), 10).value().entries, IsEmpty());
}

TEST(Log, SaysThatThereIsMore) {
  const Repository repository;
  for (int i = 0; i < 3; ++i) repository.commit("commit " + std::to_string(i));
  const Log found = log(project_of(repository), std::nullopt, 2).value();
  EXPECT_THAT(found.entries, SizeIs(2));
  EXPECT_TRUE(found.truncated);
}

TEST(Log, IsEmptyBeforeTheFirstCommit) {
  const Repository repository;
  EXPECT_THAT(log(project_of(repository), std::nullopt, 10).value().entries, IsEmpty());
}

TEST(History, NeedsARepository) {
  const Repository folder(Repository::Kind::kPlainFolder);
  EXPECT_EQ(log(project_of(folder), std::nullopt, 10).error().code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(blame(project_of(folder), path_of("a"), std::nullopt, {}).error().code(),
            ErrorCode::kInvalidArgument);
}

TEST(Blame, NamesTheCommitOfEachLine) {
  const Repository repository;
  repository.write("a", "one\ntwo\n");
  const std::string first = repository.commit("first");
  repository.write("a", "one\nTWO\n");
  const std::string second = repository.commit("second");
  const Blame all = blame(project_of(repository), path_of("a"), std::nullopt, {}).value();
  ASSERT_THAT(all.lines, SizeIs(2));
  EXPECT_EQ(all.lines[0].commit->to_hex(), first);
  EXPECT_EQ(all.lines[0].line, 1U);
  EXPECT_EQ(all.lines[0].text, "one");
  EXPECT_EQ(all.lines[0].author, "Ada");
  EXPECT_EQ(all.lines[0].subject, "first");
  EXPECT_EQ(all.lines[1].commit->to_hex(), second);
  EXPECT_EQ(all.lines[1].date, log(project_of(repository), std::nullopt, 1)->entries[0].date);
}

TEST(Blame, TellsWhichLinesAreNotCommitted) {
  const Repository repository;
  repository.write("a", "one\ntwo\n");
  repository.commit("first");
  const Blame edited = blame(project_of(repository), path_of("a"), "zero\none\ntwo\n", {}).value();
  ASSERT_THAT(edited.lines, SizeIs(3));
  EXPECT_FALSE(edited.lines[0].commit);
  EXPECT_EQ(edited.lines[0].author, "not committed");
  EXPECT_TRUE(edited.lines[1].commit);
}

TEST(Blame, TakesARange) {
  const Repository repository;
  repository.write("a", "1\n2\n3\n4\n");
  repository.commit();
  const Blame some =
      blame(project_of(repository), path_of("a"), std::nullopt, {.first = 2, .last = 3}).value();
  ASSERT_THAT(some.lines, SizeIs(2));
  EXPECT_EQ(some.lines[0].text, "2");
  EXPECT_EQ(some.lines[1].line, 3U);
}

TEST(Blame, RefusesAnInvalidRange) {
  const Repository repository;
  repository.write("a", "1\n");
  repository.commit();
  for (const LineRange& range :
       {LineRange{.first = 0}, LineRange{.first = 3, .last = 2}, LineRange{.first = 7}}) {
    EXPECT_EQ(blame(project_of(repository), path_of("a"), std::nullopt, range).error().code(),
              ErrorCode::kInvalidArgument);
  }
}

TEST(Blame, NeedsACommittedFile) {
  const Repository repository;
  EXPECT_EQ(blame(project_of(repository), path_of("a"), std::nullopt, {}).error().code(),
            ErrorCode::kNotFound);
  repository.commit();
  EXPECT_EQ(blame(project_of(repository), path_of("a"), std::nullopt, {}).error().code(),
            ErrorCode::kNotFound);
  EXPECT_EQ(blame(project_of(repository), path_of("a"), "new\n", {}).error().code(),
            ErrorCode::kNotFound);
}

TEST(Blame, EndsAfterManyLines) {
  const Repository repository;
  std::string content;
  for (std::uint64_t i = 0; i < kMostBlameLines + 10; ++i) content += std::to_string(i) + "\n";
  repository.write("a", content);
  repository.commit();
  const Blame some = blame(project_of(repository), path_of("a"), std::nullopt, {}).value();
  EXPECT_TRUE(some.truncated);
  EXPECT_THAT(some.lines, SizeIs(kMostBlameLines));
}

TEST(BlameOutput, WritesDatesAsGitDoes) {
  EXPECT_EQ(internal::iso_date(0, "+0000"), "1970-01-01T00:00:00+00:00");
  EXPECT_EQ(internal::iso_date(1'700'000'000, "+0530"), "2023-11-15T03:43:20+05:30");
  EXPECT_EQ(internal::iso_date(1'700'000'000, "-0800"), "2023-11-14T14:13:20-08:00");
}

TEST(BlameOutput, LeavesOutALineThatIsCutOff) {
  const std::string id(40, 'a');
  const auto lines =
      internal::parse_blame(id + " 1 1 1\nauthor X\nsummary y\n\ttext\n" + id + " 2");
  ASSERT_THAT(lines, SizeIs(1));
  EXPECT_EQ(lines[0].text, "text");
}

}  // namespace
}  // namespace clever::git
