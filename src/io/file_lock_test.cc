#include "io/file_lock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "base/thread.h"
#include "io/file.h"
#include "support/child_process.h"
#include "support/temporary_directory.h"

namespace clever::io {
namespace {

using base::Deadline;
using base::ErrorCode;
using base::StopSource;
using base::StopToken;
using test::ChildProcess;
using test::TemporaryDirectory;
using namespace std::chrono_literals;

TEST(FileLock, IsHeldByOneAtATime) {
  const TemporaryDirectory folder;
  const auto held = FileLock::try_acquire(folder / "lock");
  ASSERT_TRUE(held.ok());
  const auto second = FileLock::try_acquire(folder / "lock");
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code(), ErrorCode::kUnavailable);
}

TEST(FileLock, IsSharedByManyOrHeldByOne) {
  const TemporaryDirectory folder;
  base::StopSource stopped;
  stopped.request_stop();
  const auto share = [&] {
    return FileLock::share(folder / "lock", stopped.token(), Deadline::never());
  };
  {
    const auto one = share();
    const auto other = share();
    ASSERT_TRUE(one.ok() && other.ok());
    EXPECT_FALSE(FileLock::try_acquire(folder / "lock").ok());
  }
  const auto alone = FileLock::try_acquire(folder / "lock");
  ASSERT_TRUE(alone.ok());
  EXPECT_EQ(share().error().code(), base::ErrorCode::kCancelled);
}

TEST(FileLock, EndsWithItsOwner) {
  const TemporaryDirectory folder;
  {
    ASSERT_TRUE(FileLock::try_acquire(folder / "lock").ok());
  }
  EXPECT_TRUE(FileLock::try_acquire(folder / "lock").ok());
}

TEST(FileLock, LeavesItsFile) {
  const TemporaryDirectory folder;
  {
    ASSERT_TRUE(FileLock::try_acquire(folder / "lock").ok());
  }
  EXPECT_EQ(file_kind(folder / "lock"), FileKind::kFile);
}

TEST(FileLock, CanBeLookedAtWithoutBeingTaken) {
  const TemporaryDirectory folder;
  EXPECT_EQ(FileLock::is_held(folder / "lock").error().code(), ErrorCode::kNotFound);
  {
    const auto held = FileLock::try_acquire(folder / "lock").value();
    EXPECT_TRUE(FileLock::is_held(folder / "lock").value());
  }
  EXPECT_FALSE(FileLock::is_held(folder / "lock").value());
  EXPECT_TRUE(FileLock::try_acquire(folder / "lock").ok());
}

TEST(FileLock, IsRemovedOnlyWhileUnlocked) {
  const TemporaryDirectory folder;
  {
    const auto held = FileLock::try_acquire(folder / "lock").value();
    EXPECT_FALSE(FileLock::remove_if_free(folder / "lock").value());
    EXPECT_TRUE(held.names(folder / "lock"));
  }
  EXPECT_TRUE(FileLock::remove_if_free(folder / "lock").value());
  EXPECT_EQ(FileLock::remove_if_free(folder / "lock").error().code(), ErrorCode::kNotFound);
}

TEST(FileLock, KnowsWhenItsFileWasReplaced) {
  const TemporaryDirectory folder;
  const auto held = FileLock::try_acquire(folder / "lock").value();
  std::filesystem::remove(folder / "lock");
  EXPECT_FALSE(held.names(folder / "lock"));
  EXPECT_TRUE(FileLock::try_acquire(folder / "lock").ok());
  EXPECT_FALSE(held.names(folder / "lock"));
}

TEST(FileLock, MovesWithoutBeingReleased) {
  const TemporaryDirectory folder;
  auto first = FileLock::try_acquire(folder / "lock").value();
  const FileLock second(std::move(first));
  EXPECT_FALSE(FileLock::try_acquire(folder / "lock").ok());
}

TEST(FileLock, AssignmentReleasesTheOldOne) {
  const TemporaryDirectory folder;
  auto a = FileLock::try_acquire(folder / "a").value();
  auto b = FileLock::try_acquire(folder / "b").value();
  a = std::move(b);
  EXPECT_TRUE(FileLock::try_acquire(folder / "a").ok());
  EXPECT_FALSE(FileLock::try_acquire(folder / "b").ok());
}

TEST(FileLock, SurvivesBeingAssignedToItself) {
  const TemporaryDirectory folder;
  auto lock = FileLock::try_acquire(folder / "lock").value();
  FileLock& same = lock;
  lock = std::move(same);
  EXPECT_FALSE(FileLock::try_acquire(folder / "lock").ok());
}

TEST(FileLock, SaysThatTheFolderIsMissing) {
  const TemporaryDirectory folder;
  const auto result = FileLock::acquire(folder / "no/lock", {}, Deadline::never());
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), ErrorCode::kNotFound);
  EXPECT_FALSE(FileLock::try_acquire(folder / "no/lock").ok());
}

TEST(FileLock, StopsWaitingAtTheDeadline) {
  const TemporaryDirectory folder;
  const auto held = FileLock::try_acquire(folder / "lock");
  base::SystemClock clock;
  const auto result = FileLock::acquire(folder / "lock", {}, Deadline::after(clock, 30ms));
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), ErrorCode::kDeadlineExceeded);
}

TEST(FileLock, AFreeLockWinsOverAPassedDeadline) {
  const TemporaryDirectory folder;
  base::SystemClock clock;
  StopSource stop;
  stop.request_stop();
  EXPECT_TRUE(FileLock::acquire(folder / "lock", stop.token(), Deadline::after(clock, 0ms)).ok());
}

TEST(FileLock, StopsWaitingOnAStop) {
  const TemporaryDirectory folder;
  const auto held = FileLock::try_acquire(folder / "lock");
  StopSource stop;
  base::Thread stopper("stopper", [&](const StopToken&) { stop.request_stop(); });
  const auto result = FileLock::acquire(folder / "lock", stop.token(), Deadline::never());
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), ErrorCode::kCancelled);
}

TEST(FileLock, IsGrantedWhenTheHolderReleasesIt) {
  const TemporaryDirectory folder;
  std::optional<FileLock> held = FileLock::try_acquire(folder / "lock").value();
  base::Thread holder("holder", [&](const StopToken&) { held.reset(); });
  EXPECT_TRUE(FileLock::acquire(folder / "lock", {}, Deadline::never()).ok());
}

TEST(FileLock, IsReleasedWhenItsProcessIsKilled) {
  const TemporaryDirectory folder;
  ChildProcess holder([&] {
    const auto held = FileLock::try_acquire(folder / "lock");
    write_file_atomically(folder / "ready", "").value();
    ::pause();
    return 0;
  });
  while (file_kind(folder / "ready") == FileKind::kMissing) ::sched_yield();
  EXPECT_FALSE(FileLock::try_acquire(folder / "lock").ok());
  EXPECT_EQ(holder.kill_and_wait(), -SIGKILL);
  EXPECT_TRUE(FileLock::try_acquire(folder / "lock").ok());
}

TEST(FileLock, CountsExactlyBetweenProcesses) {
  const TemporaryDirectory folder;
  folder.write("count", "0");
  std::vector<std::unique_ptr<ChildProcess>> children;
  for (int i = 0; i < 8; ++i) {
    children.push_back(std::make_unique<ChildProcess>([&] {
      for (int n = 0; n < 20; ++n) {
        const auto lock = FileLock::acquire(folder / "lock", {}, Deadline::never());
        const int count = std::stoi(read_file(folder / "count").value());
        write_file_atomically(folder / "count", std::to_string(count + 1)).value();
      }
      return 0;
    }));
  }
  for (auto& child : children) EXPECT_EQ(child->wait(), 0);
  EXPECT_EQ(folder.read("count"), "160");
}

}  // namespace
}  // namespace clever::io
