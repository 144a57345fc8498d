#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apply/apply.h"
#include "support/changes.h"
#include "support/repository.h"

namespace clever::apply {
namespace {

using test::Changes;
using test::Repository;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::string kNineLines = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";

std::string with_line(int line, const std::string& text) {
  std::string content = kNineLines;
  content.replace(static_cast<std::size_t>(line - 1) * 2, 1, text);
  return content;
}

struct RemergeFixture {
  Repository repository;
  git::Project project;
  std::optional<Changes> changes;

  RemergeFixture() {
    repository.write("a.txt", kNineLines);
    repository.write("b.txt", "b\n");
    repository.commit("first");
    project = git::Project::find(repository.path()).value();
    changes.emplace(project, repository.beside("store"));
  }
  [[nodiscard]] Request request() const {
    return {.project = project,
            .store = changes->store(),
            .plan = Changes::new_plan(),
            .digest = model::digest_of(changes->sorted()),
            .changes = changes->sorted(),
            .message = "Change",
            .expected_branch = "refs/heads/main",
            .state_folder = repository.beside("state")};
  }
  [[nodiscard]] std::string content(const model::NetChange& change) const {
    return changes->store()->blob(git::ObjectId::from_hex(change.after->object).value()).value();
  }
};

TEST(Remerge, WhatDidNotMoveKeepsItsDigest) {
  RemergeFixture fixture;
  fixture.changes->modify("b.txt", "b\n", "new b\n").create("c.txt", "c\n");
  const Request request = fixture.request();
  const Remerged merged = remerge(request).value();
  EXPECT_EQ(merged.digest, request.digest);
  EXPECT_EQ(merged.changes, request.changes);
  EXPECT_THAT(merged.conflicts, IsEmpty());
}

TEST(Remerge, JoinsChangesOfOtherLinesAndLands) {
  RemergeFixture fixture;
  fixture.changes->modify("a.txt", kNineLines, with_line(2, "two"));
  fixture.repository.write("a.txt", with_line(8, "eight"));
  fixture.repository.commit("theirs");
  Request request = fixture.request();
  EXPECT_EQ(apply(request)->kind, Outcome::Kind::kConstrained);
  const Remerged merged = remerge(request).value();
  EXPECT_THAT(merged.conflicts, IsEmpty());
  EXPECT_NE(merged.digest, request.digest);
  request.changes = merged.changes;
  request.digest = merged.digest;
  EXPECT_EQ(apply(request)->kind, Outcome::Kind::kApplied);
  std::string both = with_line(8, "eight");
  both.replace(2, 1, "two");
  EXPECT_EQ(fixture.repository.read("a.txt"), both);
  EXPECT_EQ(fixture.repository.git({"status", "--porcelain"}), "");
}

TEST(Remerge, TellsConflicts) {
  RemergeFixture fixture;
  fixture.changes->modify("a.txt", kNineLines, with_line(2, "two"))
      .modify("b.txt", "b\n", "new b\n")
      .create("c.txt", "ours\n");
  fixture.repository.write("a.txt", with_line(2, "zwei"));
  fixture.repository.remove("b.txt");
  fixture.repository.write("c.txt", "theirs\n");
  EXPECT_THAT(remerge(fixture.request())->conflicts, ElementsAre("a.txt", "b.txt", "c.txt"));
}

TEST(Remerge, DropsWhatIsThereAlready) {
  RemergeFixture fixture;
  fixture.changes->modify("a.txt", kNineLines, with_line(2, "two")).remove("b.txt", "b\n");
  fixture.repository.write("a.txt", with_line(2, "two"));
  fixture.repository.remove("b.txt");
  const Remerged merged = remerge(fixture.request()).value();
  EXPECT_THAT(merged.changes, IsEmpty());
  EXPECT_THAT(merged.conflicts, IsEmpty());
}

TEST(Remerge, ADeletionOfWhatSomebodyChangedIsAConflict) {
  RemergeFixture fixture;
  fixture.changes->remove("b.txt", "b\n");
  fixture.repository.write("b.txt", "edited\n");
  EXPECT_THAT(remerge(fixture.request())->conflicts, ElementsAre("b.txt"));
}

TEST(Remerge, BinaryFilesAndLinksAreNotMerged) {
  RemergeFixture fixture;
  fixture.changes->modify("b.txt", "b\n", std::string("new\0", 4)).create("link", "here", 0120000);
  fixture.repository.write("b.txt", "edited\n");
  fixture.repository.link("link", "there");
  EXPECT_THAT(remerge(fixture.request())->conflicts, ElementsAre("b.txt", "link"));
}

TEST(Remerge, AFolderInTheWayIsAConflict) {
  RemergeFixture fixture;
  fixture.changes->create("d", "d\n");
  fixture.repository.write("d/inside", "x");
  EXPECT_THAT(remerge(fixture.request())->conflicts, ElementsAre("d"));
}

TEST(Remerge, ComparesAsGitKeepsIt) {
  RemergeFixture fixture;
  fixture.repository.write(".gitattributes", "*.txt text eol=crlf\n");
  fixture.repository.write("b.txt", "b\r\n");
  fixture.repository.commit("line ends");
  fixture.changes->modify("b.txt", "b\n", "new b\n");
  const Request request = fixture.request();
  const std::string objects = fixture.repository.git({"count-objects"});
  EXPECT_EQ(remerge(request)->digest, request.digest);
  EXPECT_EQ(fixture.repository.git({"count-objects"}), objects);
}

TEST(Remerge, ModesAreMergedToo) {
  RemergeFixture fixture;
  fixture.changes->add("a.txt", fixture.changes->state(kNineLines),
                       fixture.changes->state(kNineLines, 0100755));
  fixture.repository.write("a.txt", with_line(3, "drei"));
  const Remerged merged = remerge(fixture.request()).value();
  ASSERT_EQ(merged.changes.size(), 1U);
  EXPECT_EQ(merged.changes[0].after->mode, 0100755U);
  EXPECT_EQ(fixture.content(merged.changes[0]), with_line(3, "drei"));
}

}  // namespace
}  // namespace clever::apply
