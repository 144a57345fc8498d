#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "base/thread.h"
#include "io/file.h"
#include "io/file_lock.h"
#include "io/process.h"
#include "support/temporary_directory.h"

namespace clever::io {
namespace {

constexpr int kFileUsers = 8;

template <class Body>
void on_threads(Body body) {
  std::vector<std::unique_ptr<base::Thread>> threads;
  for (int i = 0; i < kFileUsers; ++i) {
    threads.push_back(
        std::make_unique<base::Thread>("worker", [&body, i](const base::StopToken&) { body(i); }));
  }
}

TEST(IoStress, ALockedCountLosesNothing) {
  const test::TemporaryDirectory folder;
  folder.write("count", "0");
  on_threads([&](int) {
    for (int i = 0; i < 20; ++i) {
      const auto lock = FileLock::acquire(folder / "lock", {}, base::Deadline::never());
      const int count = std::stoi(read_file(folder / "count").value());
      write_file_atomically(folder / "count", std::to_string(count + 1)).value();
    }
  });
  EXPECT_EQ(folder.read("count"), std::to_string(kFileUsers * 20));
}

TEST(IoStress, UnlockedWritersNeverMixTheirContents) {
  const test::TemporaryDirectory folder;
  on_threads([&](int thread) {
    const std::string content(10'000, static_cast<char>('a' + thread));
    for (int i = 0; i < 20; ++i) {
      write_file_atomically(folder / "x", content).value();
      const std::string seen = read_file(folder / "x").value();
      EXPECT_EQ(seen, std::string(10'000, seen.front()));
    }
  });
  EXPECT_EQ(folder.names(), std::vector<std::string>{"x"});
}

TEST(IoStress, ProgramsStartedAtOnceDoNotHoldEachOthersPipes) {
  // A leaked end of another program's pipe would keep `cat` waiting for more.
  on_threads([](int thread) {
    for (int i = 0; i < 10; ++i) {
      ProcessOptions options{.argv = {"cat"}};
      options.standard_input = std::string(100'000, static_cast<char>('a' + thread));
      EXPECT_EQ(run_process(options).value().output, options.standard_input);
    }
  });
}

TEST(IoStress, AStopDuringAProgramsRunIsNeverMissed) {
  on_threads([](int) {
    for (int i = 0; i < 10; ++i) {
      base::StopSource stop;
      base::Thread stopper("stopper", [&](const base::StopToken&) { stop.request_stop(); });
      const auto result = run_process({.argv = {"sleep", "1000"}, .stop = stop.token()});
      EXPECT_EQ(result.error().code(), base::ErrorCode::kCancelled);
    }
  });
}

}  // namespace
}  // namespace clever::io
