#include "io/file_watch.h"

#include <gtest/gtest.h>

#include <chrono>

#include "base/thread.h"
#include "io/shared_numbers.h"
#include "support/temporary_directory.h"

namespace clever::io {
namespace {

using namespace std::chrono_literals;

TEST(FileWatch, TellsThatTheFileWasWritten) {
  const test::TemporaryDirectory folder;
  auto numbers = SharedNumbers::open(folder / "numbers").value();
  auto watch = FileWatch::open(folder / "numbers").value();
  numbers.store(0, 7);
  EXPECT_TRUE(watch.wait({}, 10s).value());
  EXPECT_FALSE(watch.wait({}, 0s).value());
  EXPECT_EQ(numbers.load(0), 7U);
}

TEST(FileWatch, NoticesOtherDescriptors) {
  const test::TemporaryDirectory folder;
  auto mine = SharedNumbers::open(folder / "numbers").value();
  auto watch = FileWatch::open(folder / "numbers").value();
  SharedNumbers::open(folder / "numbers").value().store(0, 1);
  EXPECT_TRUE(watch.wait({}, 10s).value());
  EXPECT_EQ(mine.load(0), 1U);
}

TEST(FileWatch, AStopEndsTheWait) {
  const test::TemporaryDirectory folder;
  folder.write("file", "");
  auto watch = FileWatch::open(folder / "file").value();
  base::StopSource stop;
  base::Thread stopper("stopper", [&](const base::StopToken&) { stop.request_stop(); });
  EXPECT_EQ(watch.wait(stop.token(), 1h).error().code(), base::ErrorCode::kCancelled);
}

TEST(FileWatch, AFileThatIsNotThereIsAnError) {
  const test::TemporaryDirectory folder;
  EXPECT_EQ(FileWatch::open(folder / "none").error().code(), base::ErrorCode::kNotFound);
}

}  // namespace
}  // namespace clever::io
