#include "io/file_watch.h"

#include <gtest/gtest.h>

#include <chrono>

#include "base/thread.h"
#include "io/shared_counter.h"
#include "support/temporary_directory.h"

namespace clever::io {
namespace {

using namespace std::chrono_literals;

TEST(FileWatch, TellsThatTheFileWasWritten) {
  const test::TemporaryDirectory folder;
  auto counter = SharedCounter::open(folder / "counter").value();
  auto watch = FileWatch::open(folder / "counter").value();
  counter.store(7);
  EXPECT_TRUE(watch.wait({}, 10s).value());
  EXPECT_FALSE(watch.wait({}, 0s).value());
  EXPECT_EQ(counter.load(), 7U);
}

TEST(FileWatch, HearsOfOtherDescriptors) {
  const test::TemporaryDirectory folder;
  auto mine = SharedCounter::open(folder / "counter").value();
  auto watch = FileWatch::open(folder / "counter").value();
  SharedCounter::open(folder / "counter").value().store(1);
  EXPECT_TRUE(watch.wait({}, 10s).value());
  EXPECT_EQ(mine.load(), 1U);
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

TEST(SharedCounter, IsZeroAtFirst) {
  const test::TemporaryDirectory folder;
  EXPECT_EQ(SharedCounter::open(folder / "counter").value().load(), 0U);
}

TEST(SharedCounter, AFileThatCannotBeMadeIsAnError) {
  const test::TemporaryDirectory folder;
  EXPECT_EQ(SharedCounter::open(folder / "none/counter").error().code(),
            base::ErrorCode::kNotFound);
}

}  // namespace
}  // namespace clever::io
