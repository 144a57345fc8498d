// kill -9 at every step of an apply, and of an undo, that lands in two repositories, and again
// during the recovery: both are wholly before or both wholly after, whichever of the two the next
// command is typed in.
#include <gtest/gtest.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <iostream>

#include "crash/apply/scene.h"
#include "crash/crash_points.h"
#include "io/disk_fault.h"
#include "io/process.h"
#include "support/campaign.h"
#include "support/child_process.h"

namespace clever::apply::crash {
namespace {

using storage::crash::crash_points;

void must_run(std::vector<std::string> argv) {
  const auto result = io::run_process({.argv = std::move(argv)});
  if (!result.ok() || !result->succeeded()) std::abort();
}

/// Two repositories and a changeset for both; copied for each death. Whatever passes crash points
/// runs in a process of its own.
class TwoProjects {
 public:
  TwoProjects() {
    for (const test::Repository* repository : {&one_, &two_}) {
      repository->write("changed", "old\n");
      repository->write("removed", "gone\n");
      repository->commit("first");
    }
    test::Changes changes(git::Project::find(one_.path()).value(), one_.beside("store"));
    for (const std::string project : {"one/", "two/"}) {
      changes.modify(project + "changed", "old\n", "new\n")
          .remove(project + "removed", "gone\n")
          .create(project + "made/deep/file", "made\n");
    }
    if (test::in_child([&] { return changes.store()->sync().ok() ? 0 : 1; }) != 0) std::abort();
    changes_ = changes.sorted();
  }

  class Copy {
   public:
    explicit Copy(const TwoProjects& original) : original_(original) {
      must_run({"cp", "-a", original.one_.path().string(), one().string()});
      must_run({"cp", "-a", original.two_.path().string(), two().string()});
      must_run({"cp", "-a", original.one_.beside("store").string(), (folder_ / "store").string()});
      // As make_project_group() does, which would pass crash points and changes of the disk.
      std::filesystem::create_directories(group());
      std::ofstream members(group() / "members", std::ios::binary);
      for (const auto& project : {one(), two()}) {
        must_run({"git", "-C", project.string(), "update-index", "-q", "--refresh"});
        members << project.string() << '\0';
      }
    }
    ~Copy() {
      std::error_code ignored;
      std::filesystem::remove_all(folder_, ignored);
    }
    Copy(const Copy&) = delete;
    Copy& operator=(const Copy&) = delete;

    [[nodiscard]] std::filesystem::path one() const { return folder_ / "one"; }
    [[nodiscard]] std::filesystem::path two() const { return folder_ / "two"; }
    [[nodiscard]] std::filesystem::path state() const { return folder_ / "state"; }
    [[nodiscard]] std::filesystem::path group() const {
      return folder_ / "home" / "groups" / "pair";
    }
    [[nodiscard]] Request request() const {
      const auto group = git::Project::find(this->group(), {.own_home = folder_ / "home"}).value();
      return {.project = group,
              .store = git::ObjectStore::open(
                           {.folder = folder_ / "store", .borrowed = group.object_folders})
                           .value(),
              .plan = original_.plan_,
              .digest = model::digest_of(original_.changes_),
              .changes = original_.changes_,
              .message = "Change both",
              .expected_branches = {"refs/heads/main", "refs/heads/main"},
              .state_folder = state()};
    }
    /// Of both, each path with its project before it.
    [[nodiscard]] Picture picture() const {
      Picture both;
      for (const auto& project : {one(), two()}) {
        for (const auto& [path, content] : picture_of(project)) {
          both[project.filename().string() + "/" + path] = content;
        }
      }
      return both;
    }
    [[nodiscard]] bool is_clean() const {
      return leftovers_in(one()).empty() && leftovers_in(two()).empty() && !has_unfinished(state());
    }

   private:
    const TwoProjects& original_;
    const std::filesystem::path folder_ = new_folder();
  };

 private:
  const test::Repository one_;
  const test::Repository two_;
  std::vector<model::NetChange> changes_;
  const model::PlanId plan_ = test::Changes::new_plan();
};

using Work = std::function<base::Result<Outcome>(const Request&)>;

base::Result<Outcome> apply_it(const Request& request) { return apply(request); }
base::Result<Outcome> undo_it(const Request& request) { return undo(request); }

int done(const TwoProjects::Copy& copy, const Work& work) {
  return test::in_child([&] {
    const auto outcome = work(copy.request());
    if (!outcome.ok()) std::cerr << outcome.error().to_string() << "\n";
    return outcome.ok() ? static_cast<int>(outcome->kind) : -1;
  });
}

// As the next command does that is typed in this project.
int recovered_in(const TwoProjects::Copy& copy, const std::filesystem::path& project) {
  return test::in_child([&] {
    const auto said = recover_if_idle(git::Project::find(project).value(), copy.state());
    if (!said.ok()) std::cerr << said.error().to_string() << "\n";
    return said.ok() ? 0 : 1;
  });
}

class GroupCrashTest : public ::testing::Test {
 protected:
  void begin(const TwoProjects::Copy& copy, bool with_apply) {
    if (with_apply) {
      ASSERT_EQ(done(copy, apply_it), static_cast<int>(Outcome::Kind::kApplied));
    }
  }

  // What is there before and after the work.
  void look(bool with_apply, const Work& work) {
    const TwoProjects::Copy calm(projects_);
    begin(calm, with_apply);
    before_ = calm.picture();
    ASSERT_EQ(done(calm, work), static_cast<int>(Outcome::Kind::kApplied));
    after_ = calm.picture();
    ASSERT_NE(before_, after_);
    ASSERT_TRUE(calm.is_clean());
  }

  void expect_whole(const TwoProjects::Copy& copy, const Work& work) {
    const Picture picture = copy.picture();
    EXPECT_TRUE(picture == before_ || picture == after_)
        << "against before:\n"
        << differences(picture, before_) << "\nagainst after:\n"
        << differences(picture, after_);
    EXPECT_TRUE(copy.is_clean());
    // Whatever it was, the same work is done now, once.
    EXPECT_EQ(done(copy, work), static_cast<int>(picture == after_ ? Outcome::Kind::kAlready
                                                                   : Outcome::Kind::kApplied));
    EXPECT_EQ(differences(copy.picture(), after_), "");
  }

  // At every step, as often as it is passed.
  void die_everywhere(bool with_apply, const Work& work, std::size_t least) {
    look(with_apply, work);
    std::size_t deaths = 0;
    for (const std::string& point : crash_points({"apply"})) {
      for (std::size_t pass = 1; true; ++pass) {
        SCOPED_TRACE(point + ":" + std::to_string(pass));
        const TwoProjects::Copy copy(projects_);
        begin(copy, with_apply);
        if (!die_at(point, pass, [&] { static_cast<void>(work(copy.request())); })) break;
        ++deaths;
        ASSERT_EQ(recovered_in(copy, deaths % 2 == 0 ? copy.one() : copy.two()), 0);
        // One that had not begun there, or had ended there, says nothing of the other.
        ASSERT_EQ(recovered_in(copy, copy.one()), 0);
        ASSERT_EQ(recovered_in(copy, copy.two()), 0);
        expect_whole(copy, work);
        if (HasFailure()) return;
      }
    }
    EXPECT_GE(deaths, least);
  }

  const TwoProjects projects_;
  Picture before_;
  Picture after_;
};

TEST_F(GroupCrashTest, NoDeathOfAnApplyLeavesHalf) { die_everywhere(false, apply_it, 40); }
TEST_F(GroupCrashTest, NoDeathOfAnUndoLeavesHalf) { die_everywhere(true, undo_it, 40); }

TEST_F(GroupCrashTest, NoDeathDuringTheRecoveryLeavesHalf) {
  look(false, apply_it);
  std::size_t deaths = 0;
  for (const std::string& first :
       {"apply.exchanged", "apply.group_verified", "apply.group_moved"}) {
    for (const std::string& point : crash_points({"apply"})) {
      for (std::size_t pass = 1; true; pass += test::campaign(2, 1)) {
        SCOPED_TRACE(first + " then " + point + ":" + std::to_string(pass));
        const TwoProjects::Copy copy(projects_);
        ASSERT_TRUE(die_at(first, first == "apply.exchanged" ? 2 : 1,
                           [&] { static_cast<void>(apply(copy.request())); }));
        const auto recover_one = [&] {
          static_cast<void>(recover(git::Project::find(copy.one()).value(), copy.state()));
        };
        if (!die_at(point, pass, recover_one)) break;
        ++deaths;
        ASSERT_EQ(recovered_in(copy, copy.one()), 0);
        ASSERT_EQ(recovered_in(copy, copy.two()), 0);
        expect_whole(copy, apply_it);
        if (HasFailure()) return;
      }
    }
  }
  EXPECT_GE(deaths, 10U);
}

// One project cannot be ended while the other is away; once it is back, it ends as the other did.
TEST_F(GroupCrashTest, AProjectThatIsAwayEndsLikeTheOther) {
  look(false, apply_it);
  for (const std::string& point : {"apply.exchanged", "apply.group_verified"}) {
    SCOPED_TRACE(point);
    const TwoProjects::Copy copy(projects_);
    ASSERT_TRUE(die_at(point, 1, [&] { static_cast<void>(apply(copy.request())); }));
    const std::filesystem::path away = copy.two().string() + "-away";
    std::filesystem::rename(copy.two(), away);
    ASSERT_EQ(recovered_in(copy, copy.one()), 0);
    EXPECT_TRUE(leftovers_in(copy.one()).empty());
    std::filesystem::rename(away, copy.two());
    ASSERT_EQ(recovered_in(copy, copy.two()), 0);
    expect_whole(copy, apply_it);
  }
}

// A disk that is full, broken or read-only from any change on, or once.
TEST_F(GroupCrashTest, NoFailureOfTheDiskLeavesHalf) {
  look(false, apply_it);
  std::size_t met = 0;
  for (const int number : {ENOSPC, EIO, EROFS}) {
    for (const char* how : {"", ":once"}) {
      for (std::int64_t change = 1;; change += static_cast<std::int64_t>(test::campaign(17, 1))) {
        const std::string fault = std::to_string(number) + ":" + std::to_string(change) + how;
        SCOPED_TRACE(fault);
        const TwoProjects::Copy copy(projects_);
        const int code = test::in_child([&] {
          ::setenv("CLEVER_DISK_FAULT", fault.c_str(), /*overwrite=*/1);
          const auto outcome = apply(copy.request());
          const bool applied = outcome.ok() && outcome->kind == Outcome::Kind::kApplied;
          return (io::disk_changes() >= change ? 1 : 0) + (applied ? 2 : 0);
        });
        ASSERT_TRUE(code >= 0 && code <= 3) << code;
        if ((code & 1) == 0) break;
        ++met;
        ASSERT_EQ(recovered_in(copy, copy.one()), 0);
        ASSERT_EQ(recovered_in(copy, copy.two()), 0);
        if ((code & 2) != 0) {
          EXPECT_EQ(differences(copy.picture(), after_), "");
        }
        expect_whole(copy, apply_it);
        if (HasFailure()) return;
      }
    }
  }
  EXPECT_GE(met, 12U);
}

}  // namespace
}  // namespace clever::apply::crash
