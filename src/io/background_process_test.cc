#include "io/background_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include "support/temporary_directory.h"

namespace clever::io {
namespace {

using testing::HasSubstr;

// Waits for the process, which only a test does.
int end_of(std::int64_t process) {
  int status = 0;
  EXPECT_EQ(::waitpid(static_cast<pid_t>(process), &status, 0), process);
  return status;
}

TEST(BackgroundProcessTest, WritesToItsLogFromASessionOfItsOwn) {
  const test::TemporaryDirectory folder;
  folder.write("log", "before\n");
  const auto process = start_in_background(
      {.argv = {"sh", "-c", "cat; pwd; echo $$ $(cut -d' ' -f6 /proc/$$/stat) >&2"},
       .working_directory = folder.path(),
       .log = folder / "log"});
  ASSERT_TRUE(process.ok()) << process.error().to_string();
  EXPECT_EQ(end_of(*process), 0);
  const std::string number = std::to_string(*process);
  EXPECT_THAT(folder.read("log"),
              testing::MatchesRegex("before\n/.*\n" + number + " " + number + "\n"));
}

TEST(BackgroundProcessTest, RefusesWhatCannotRun) {
  const test::TemporaryDirectory folder;
  const auto refused = [&](BackgroundProcess process) {
    if (process.log.empty()) process.log = folder / "log";
    const auto started = start_in_background(process);
    return started.ok() ? "started" : started.error().to_string();
  };
  EXPECT_THAT(refused({.argv = {}}), HasSubstr("no program to run"));
  EXPECT_THAT(refused({.argv = {"sh", std::string("a\0b", 3)}}), HasSubstr("NUL byte"));
  EXPECT_THAT(refused({.argv = {"no-such-program-here"}}), HasSubstr("no-such-program-here"));
  EXPECT_THAT(refused({.argv = {"true"}, .working_directory = folder / "missing"}),
              HasSubstr("no such folder"));
  EXPECT_THAT(refused({.argv = {"true"}, .log = folder / "missing/log"}),
              HasSubstr("cannot write"));
}

}  // namespace
}  // namespace clever::io
