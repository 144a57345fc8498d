// kill -9 at every step that the sources of apply name, as often as it is passed, and again during
// the recovery; and a disk that is full, broken or read-only from any change on: the project is
// wholly before or wholly after, every time.
#include <gtest/gtest.h>
#include <signal.h>

#include <cerrno>
#include <cstdlib>
#include <iostream>
#include <ranges>

#include "crash/apply/scene.h"
#include "crash/crash_points.h"
#include "io/disk_fault.h"
#include "support/campaign.h"
#include "support/child_process.h"

namespace clever::apply::crash {
namespace {

using storage::crash::crash_points;

bool is_whole(const Scene& scene, const Picture& picture) {
  return picture == scene.before() || picture == scene.after();
}

int recovered(const Scene::Copy& copy) {
  return test::in_child([&] {
    const auto said = copy.recover();
    if (!said.ok()) std::cerr << said.error().to_string() << "\n";
    return said.ok() ? 0 : 1;
  });
}

// The kind of the outcome; -1 for an error.
int applied(const Scene::Copy& copy) {
  return test::in_child([&] {
    const auto outcome = apply(copy.request());
    if (!outcome.ok()) std::cerr << outcome.error().to_string() << "\n";
    return outcome.ok() ? static_cast<int>(outcome->kind) : -1;
  });
}

void expect_whole(const Scene& scene, const Scene::Copy& copy, bool and_again) {
  ASSERT_EQ(recovered(copy), 0);
  const Picture picture = copy.picture();
  EXPECT_TRUE(is_whole(scene, picture))
      << "against before:\n"
      << differences(picture, scene.before()) << "\nagainst after:\n"
      << differences(picture, scene.after());
  EXPECT_EQ(copy.leftovers(), std::vector<std::string>());
  if (!and_again) return;
  // Whatever it was, the same apply lands now, once.
  const auto expected =
      picture == scene.after() ? Outcome::Kind::kAlready : Outcome::Kind::kApplied;
  EXPECT_EQ(applied(copy), static_cast<int>(expected));
  EXPECT_EQ(differences(copy.picture(), scene.after()), "");
}

// The passes to die at: every so many, up to all.
std::size_t next_pass(std::size_t pass) {
  const std::size_t step = test::campaign(101, 1);
  return pass + step;
}

class ApplyCrashTest : public ::testing::TestWithParam<Mode> {
 public:
  // One scene for each mode: making it takes longer than dying in it.
  static const Scene& scene(Mode mode) {
    static const std::map<Mode, Scene*> kScenes = {
        {Mode::kCommit, new Scene(Mode::kCommit, 200)},
        {Mode::kWorkingTree, new Scene(Mode::kWorkingTree, 200)}};
    return *kScenes.at(mode);
  }
};

TEST_P(ApplyCrashTest, NoDeathLeavesHalf) {
  const Scene& scene = ApplyCrashTest::scene(GetParam());
  std::size_t deaths = 0;
  for (const std::string& point : crash_points({"apply"})) {
    for (std::size_t pass = 1; true; pass = next_pass(pass)) {
      SCOPED_TRACE(point + ":" + std::to_string(pass));
      const Scene::Copy copy(scene);
      if (!die_at(point, pass, [&] { static_cast<void>(apply(copy.request())); })) break;
      ++deaths;
      expect_whole(scene, copy, /*and_again=*/pass == 1);
      if (HasFailure()) return;
    }
  }
  EXPECT_GE(deaths, 18U);
}

TEST_P(ApplyCrashTest, NoDeathDuringTheRecoveryLeavesHalf) {
  const Scene& scene = ApplyCrashTest::scene(GetParam());
  std::size_t deaths = 0;
  const std::vector<std::string> orders = {"apply.exchange:120", "apply.verified:1",
                                           "apply.exchanged:1"};
  for (const std::string& order : orders | std::views::take(test::campaign(2, 3))) {
    const std::size_t colon = order.find(':');
    for (const std::string& point : crash_points({"apply"})) {
      for (std::size_t pass = 1; true; pass = next_pass(pass)) {
        SCOPED_TRACE(order + " then " + point + ":" + std::to_string(pass));
        const Scene::Copy copy(scene);
        ASSERT_TRUE(die_at(order.substr(0, colon), std::stoul(order.substr(colon + 1)),
                           [&] { static_cast<void>(apply(copy.request())); }));
        if (!die_at(point, pass, [&] { static_cast<void>(copy.recover()); })) break;
        ++deaths;
        expect_whole(scene, copy, /*and_again=*/false);
        if (HasFailure()) return;
      }
    }
  }
  EXPECT_GE(deaths, 10U);
}

// A few files: each death begins with an apply.
TEST_P(ApplyCrashTest, NoDeathOfAnUndoLeavesHalf) {
  const Scene scene(GetParam(), 24);
  const auto undo_in = [](const Scene::Copy& copy) { static_cast<void>(undo(copy.request())); };
  const Scene::Copy calm(scene);
  ASSERT_EQ(applied(calm), static_cast<int>(Outcome::Kind::kApplied));
  const Picture before = calm.picture();
  ASSERT_EQ(test::in_child([&] { return undo(calm.request()).ok() ? 0 : 1; }), 0);
  const Picture after = calm.picture();
  std::size_t deaths = 0;
  for (const std::string& point : crash_points({"apply"})) {
    SCOPED_TRACE(point);
    const Scene::Copy copy(scene);
    ASSERT_EQ(applied(copy), static_cast<int>(Outcome::Kind::kApplied));
    if (!die_at(point, 1, [&] { undo_in(copy); })) continue;
    ++deaths;
    ASSERT_EQ(recovered(copy), 0);
    const Picture picture = copy.picture();
    EXPECT_TRUE(picture == before || picture == after) << differences(picture, after);
    EXPECT_EQ(copy.leftovers(), std::vector<std::string>());
    // Whatever it was, it is undone now, once.
    EXPECT_EQ(test::in_child([&] { return undo(copy.request()).ok() ? 0 : 1; }), 0);
    EXPECT_EQ(differences(copy.picture(), after), "");
    if (HasFailure()) return;
  }
  EXPECT_GE(deaths, GetParam() == Mode::kCommit ? 20U : 14U);
}

// What an apply came to whose disk failed.
struct FailedApply {
  bool was_met = false;
  bool said_applied = false;
};

FailedApply apply_with_fault(const Scene::Copy& copy, const std::string& fault,
                             std::int64_t change) {
  const int code = test::in_child([&] {
    ::setenv("CLEVER_DISK_FAULT", fault.c_str(), /*overwrite=*/1);
    const auto outcome = apply(copy.request());
    const bool applied = outcome.ok() && outcome->kind == Outcome::Kind::kApplied;
    return (io::disk_changes() >= change ? 1 : 0) + (applied ? 2 : 0);
  });
  EXPECT_TRUE(code >= 0 && code <= 3) << code;
  return {(code & 1) != 0, (code & 2) != 0};
}

TEST_P(ApplyCrashTest, NoFailureOfTheDiskLeavesHalf) {
  const Scene& scene = ApplyCrashTest::scene(GetParam());
  std::size_t met = 0;
  for (const int number : {ENOSPC, EIO, EROFS}) {
    for (const char* how : {"", ":once"}) {
      for (std::int64_t change = 1;; change += static_cast<std::int64_t>(test::campaign(331, 1))) {
        const std::string fault = std::to_string(number) + ":" + std::to_string(change) + how;
        SCOPED_TRACE(fault);
        const Scene::Copy copy(scene);
        const FailedApply failed = apply_with_fault(copy, fault, change);
        if (!failed.was_met) break;
        ++met;
        expect_whole(scene, copy, /*and_again=*/change == 1);
        if (failed.said_applied) {
          EXPECT_EQ(differences(copy.picture(), scene.after()), "");
        }
        if (HasFailure()) return;
      }
    }
  }
  EXPECT_GE(met, 12U);
}

INSTANTIATE_TEST_SUITE_P(Modes, ApplyCrashTest,
                         ::testing::Values(Mode::kCommit, Mode::kWorkingTree),
                         [](const auto& tested) {
                           return tested.param == Mode::kCommit ? "Commit" : "WorkingTree";
                         });

}  // namespace
}  // namespace clever::apply::crash
