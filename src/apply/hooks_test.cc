#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "apply/apply.h"
#include "support/changes.h"
#include "support/confine_launcher.h"
#include "support/repository.h"

namespace clever::apply {
namespace {

using test::Changes;
using test::Repository;
using ::testing::HasSubstr;
using ::testing::SizeIs;

struct HooksFixture {
  Repository repository;
  git::Project project;
  std::optional<Changes> changes;

  HooksFixture() {
    repository.write("a.txt", "a\n");
    repository.write("b.txt", "b\n");
    repository.commit("first");
    project = git::Project::find(repository.path()).value();
    changes.emplace(project, repository.beside("store"));
    changes->modify("a.txt", "a\n", "new a\n").create("d.txt", "d\n");
  }
  void hook(const std::string& name, const std::string& script) const {
    repository.write(".git/hooks/" + name, "#!/bin/sh\n" + script, /*executable=*/true);
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
  [[nodiscard]] HookResult run(const Request& request) const {
    auto result = run_commit_hooks(request, test::confine_launcher(), {}, base::Deadline::never());
    EXPECT_TRUE(result.ok()) << result.error().to_string();
    return result.ok() ? *std::move(result) : HookResult{.passed = false};
  }
  [[nodiscard]] std::string content(const model::NetChange& change) const {
    return changes->store()->blob(git::ObjectId::from_hex(change.after->object).value()).value();
  }
};

TEST(Hooks, PassIfThereAreNone) {
  const HooksFixture fixture;
  const HookResult result = fixture.run(fixture.request());
  EXPECT_TRUE(result.passed);
  EXPECT_FALSE(result.changed.has_value());
  EXPECT_EQ(result.message, "Change");
}

TEST(Hooks, SeeWhatWouldBeCommitted) {
  const HooksFixture fixture;
  fixture.repository.write("b.txt", "edited, not committed\n");
  fixture.hook("pre-commit",
               "git diff --cached --name-status; cat a.txt b.txt d.txt; git log -1 --format=%s");
  const HookResult result = fixture.run(fixture.request());
  EXPECT_TRUE(result.passed) << result.output;
  EXPECT_EQ(result.output, "M\ta.txt\nA\td.txt\nnew a\nb\nd\nfirst\n");
  EXPECT_FALSE(result.changed.has_value());
}

TEST(Hooks, ThatFailAreReported) {
  const HooksFixture fixture;
  fixture.hook("pre-commit", "echo no good >&2; exit 1");
  const HookResult result = fixture.run(fixture.request());
  EXPECT_FALSE(result.passed);
  EXPECT_EQ(result.output, "no good\n");
}

TEST(Hooks, ThatChangeAFileMakeANewDigest) {
  const HooksFixture fixture;
  fixture.hook("pre-commit", "echo formatted > d.txt; echo also > e.txt; git add d.txt e.txt");
  const HookResult result = fixture.run(fixture.request());
  EXPECT_TRUE(result.passed) << result.output;
  ASSERT_TRUE(result.changed.has_value());
  ASSERT_THAT(*result.changed, SizeIs(3));
  EXPECT_EQ(result.changed->at(1).path, "d.txt");
  EXPECT_EQ(fixture.content(result.changed->at(1)), "formatted\n");
  EXPECT_EQ(fixture.content(result.changed->at(2)), "also\n");
  EXPECT_FALSE(result.changed->at(2).before.has_value());
  EXPECT_FALSE(std::filesystem::exists(fixture.repository / "e.txt"));
}

TEST(Hooks, ThatMendAndFailOfferWhatTheyMended) {
  const HooksFixture fixture;
  fixture.hook("pre-commit", "echo mended > b.txt; exit 1");
  const HookResult result = fixture.run(fixture.request());
  EXPECT_FALSE(result.passed);
  ASSERT_TRUE(result.changed.has_value());
  ASSERT_THAT(*result.changed, SizeIs(3));
  EXPECT_EQ(fixture.content(result.changed->at(1)), "mended\n");
  EXPECT_EQ(fixture.repository.read("b.txt"), "b\n");
}

TEST(Hooks, MayRewriteTheMessage) {
  const HooksFixture fixture;
  fixture.hook("commit-msg", "cat \"$1\"; echo '[ticket] Change' > \"$1\"");
  const HookResult result = fixture.run(fixture.request());
  EXPECT_TRUE(result.passed) << result.output;
  EXPECT_THAT(result.output, HasSubstr("Plan-Id: "));
  EXPECT_EQ(result.message, "[ticket] Change\n");
}

TEST(Hooks, CannotTouchTheProject) {
  const HooksFixture fixture;
  const std::string root = fixture.repository.path().string();
  const std::string status = fixture.repository.git({"status", "--porcelain"});
  fixture.hook("pre-commit", "echo x > '" + root + "/a.txt'; echo x > '" + root +
                                 "/../outside' 2>/dev/null; git config alias.x '!touch y'; exit 0");
  EXPECT_TRUE(fixture.run(fixture.request()).passed);
  EXPECT_EQ(fixture.repository.git({"status", "--porcelain"}), status);
  EXPECT_FALSE(std::filesystem::exists(fixture.repository.beside("outside")));
  EXPECT_EQ(fixture.repository.run({"config", "alias.x"}).exit_code, 1);
}

TEST(Hooks, OfAnotherFolderRunToo) {
  const HooksFixture fixture;
  fixture.repository.write("my-hooks/pre-commit", "#!/bin/sh\necho mine\n", /*executable=*/true);
  fixture.repository.git({"config", "core.hooksPath", "my-hooks"});
  EXPECT_EQ(fixture.run(fixture.request()).output, "mine\n");
}

TEST(Hooks, DoNotRunWhereNothingIsCommitted) {
  const HooksFixture fixture;
  fixture.hook("pre-commit", "exit 1");
  Request request = fixture.request();
  request.mode = Mode::kWorkingTree;
  EXPECT_TRUE(fixture.run(request).passed);
  request.mode = Mode::kCommit;
  request.run_hooks = false;
  EXPECT_TRUE(fixture.run(request).passed);
}

}  // namespace
}  // namespace clever::apply
