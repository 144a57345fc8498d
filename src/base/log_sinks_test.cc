#include "base/log_sinks.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <fstream>
#include <sstream>
#include <thread>

#include "base/thread.h"

namespace clever::base {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::string content_of(const fs::path& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

LogRecord info_record(std::string message) {
  return {WallTime{}, LogLevel::kInfo, std::move(message), {}};
}

std::string formatted(const std::string& message) {
  return "1970-01-01T00:00:00.000Z info " + message + "\n";
}

// Whether a thread of this process waits for something, by the kernel's word.
bool is_asleep(pid_t thread) {
  const std::string status = content_of("/proc/self/task/" + std::to_string(thread) + "/stat");
  return status.substr(status.rfind(')')).starts_with(") S");
}

class LogSinksTest : public testing::Test {
 protected:
  LogSinksTest() {
    std::string pattern = (fs::temp_directory_path() / "clever_log_XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~LogSinksTest() override { fs::remove_all(folder_); }

  [[nodiscard]] fs::path path() const { return folder_ / "logs" / "agents.log"; }
  [[nodiscard]] std::shared_ptr<LogSink> open(std::uint64_t max_bytes, std::size_t old_files = 2) {
    return file_log_sink({path(), LogFormat::kText, max_bytes, old_files}, clock_).value();
  }
  // Makes the folder of the log unusable, also for root.
  void break_folder() const {
    fs::remove_all(path().parent_path());
    std::ofstream(path().parent_path()) << "a file where the folder was";
  }
  void mend_folder() const { fs::remove(path().parent_path()); }

  fs::path folder_;
  SimulatedClock clock_;
};

TEST_F(LogSinksTest, WritesLinesToADescriptor) {
  std::array<int, 2> pipe{};
  ASSERT_EQ(::pipe(pipe.data()), 0);
  const auto sink = descriptor_log_sink(pipe[1], LogFormat::kText);
  EXPECT_TRUE(sink->write(info_record("one")).ok());
  EXPECT_TRUE(sink->write(info_record("two")).ok());
  ::close(pipe[1]);
  std::array<char, 256> buffer{};
  const ssize_t count = ::read(pipe[0], buffer.data(), buffer.size());
  EXPECT_EQ(std::string(buffer.data(), static_cast<std::size_t>(count)),
            formatted("one") + formatted("two"));
  ::close(pipe[0]);
}

TEST_F(LogSinksTest, WaitsForADescriptorThatDoesNotBlock) {
  std::array<int, 2> pipe{};
  ASSERT_EQ(::pipe(pipe.data()), 0);
  ASSERT_EQ(::fcntl(pipe[1], F_SETFL, O_NONBLOCK), 0);
  std::size_t filled = 0;
  while (::write(pipe[1], "x", 1) == 1) ++filled;
  std::string received;
  Thread reader("reader", [&, writer = ::gettid()](StopToken) {
    while (!is_asleep(writer)) std::this_thread::yield();
    for (char c = 0; ::read(pipe[0], &c, 1) == 1;) received.push_back(c);
  });
  EXPECT_TRUE(descriptor_log_sink(pipe[1], LogFormat::kText)->write(info_record("one")).ok());
  ::close(pipe[1]);
  reader.join();
  EXPECT_EQ(received, std::string(filled, 'x') + formatted("one"));
  ::close(pipe[0]);
}

TEST_F(LogSinksTest, AFullDiskIsAnError) {
  const int full = ::open("/dev/full", O_WRONLY | O_CLOEXEC);
  ASSERT_GE(full, 0);
  const auto written = descriptor_log_sink(full, LogFormat::kText)->write(info_record("one"));
  ASSERT_FALSE(written.ok());
  EXPECT_THAT(written.error().message(), HasSubstr("cannot write the log: No space left"));
  ::close(full);
}

TEST_F(LogSinksTest, ALineAfterAFailureStartsOnItsOwn) {
  const fs::path target = folder_ / "out";
  const int descriptor = ::open("/dev/full", O_WRONLY | O_CLOEXEC);
  const auto sink = descriptor_log_sink(descriptor, LogFormat::kText);
  EXPECT_FALSE(sink->write(info_record("lost")).ok());
  const int file = ::open(target.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  ASSERT_EQ(::dup2(file, descriptor), descriptor);
  EXPECT_TRUE(sink->write(info_record("one")).ok());
  EXPECT_TRUE(sink->write(info_record("two")).ok());
  EXPECT_EQ(content_of(target), "\n" + formatted("one") + formatted("two"));
  ::close(file);
  ::close(descriptor);
}

TEST_F(LogSinksTest, StandardErrorIsWrittenAtOnce) {
  testing::internal::CaptureStderr();
  EXPECT_TRUE(stderr_log_sink(LogFormat::kJson)->write(info_record("one")).ok());
  EXPECT_EQ(testing::internal::GetCapturedStderr(), format_json(info_record("one")) + "\n");
}

TEST_F(LogSinksTest, AppendsToAFileAndMakesItsFolder) {
  EXPECT_TRUE(open(1000)->write(info_record("one")).ok());
  EXPECT_TRUE(open(1000)->write(info_record("two")).ok());
  EXPECT_EQ(content_of(path()), formatted("one") + formatted("two"));
}

TEST_F(LogSinksTest, ALineIsInTheFileWhenWriteReturns) {
  const auto sink = open(1000);
  EXPECT_TRUE(sink->write(info_record("one")).ok());
  EXPECT_EQ(content_of(path()), formatted("one"));
}

TEST_F(LogSinksTest, OnlyTheOwnerMayReadTheFile) {
  EXPECT_TRUE(open(1000)->write(info_record("one")).ok());
  struct stat status{};
  ASSERT_EQ(::stat(path().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
}

TEST_F(LogSinksTest, ChildProcessesDoNotInheritTheFile) {
  const auto sink = open(1000);
  for (const auto& entry : fs::directory_iterator("/proc/self/fd")) {
    std::error_code gone;
    if (fs::read_symlink(entry, gone) != path()) continue;
    const int descriptor = std::stoi(entry.path().filename());
    EXPECT_EQ(::fcntl(descriptor, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
    return;
  }
  FAIL() << "the log is not open";
}

TEST_F(LogSinksTest, RotatesBySizeAndKeepsSoManyOldFiles) {
  const auto sink = open(formatted("one").size(), 2);
  for (const auto* message : {"one", "two", "three", "four"}) {
    EXPECT_TRUE(sink->write(info_record(message)).ok());
  }
  EXPECT_EQ(content_of(path()), formatted("four"));
  EXPECT_EQ(content_of(folder_ / "logs" / "agents.1.log"), formatted("three"));
  EXPECT_EQ(content_of(folder_ / "logs" / "agents.2.log"), formatted("two"));
  EXPECT_FALSE(fs::exists(folder_ / "logs" / "agents.3.log"));
}

// Two sinks on one path stand for two processes: each finds out that the other has rotated.
TEST_F(LogSinksTest, SeveralWritersRotateOneFileWithoutLosingALine) {
  constexpr std::size_t kLines = 20;
  const auto one = open(3 * formatted("00").size(), kLines);
  const auto other = open(3 * formatted("00").size(), kLines);
  for (std::size_t i = 0; i < kLines; ++i) {
    const auto& sink = i % 3 == 0 ? one : other;
    EXPECT_TRUE(sink->write(info_record(std::to_string(10 + i))).ok());
  }
  std::string all;
  for (const auto& entry : fs::directory_iterator(folder_ / "logs"))
    all += content_of(entry.path());
  for (std::size_t i = 0; i < kLines; ++i)
    EXPECT_THAT(all, HasSubstr(formatted(std::to_string(10 + i))));
  EXPECT_EQ(all.size(), kLines * formatted("00").size());
}

TEST_F(LogSinksTest, WithoutOldFilesTheFullOneIsReplaced) {
  const auto sink = open(formatted("one").size(), 0);
  EXPECT_TRUE(sink->write(info_record("one")).ok());
  EXPECT_TRUE(sink->write(info_record("two")).ok());
  EXPECT_EQ(content_of(path()), formatted("two"));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_ / "logs"), {}), 1);
}

TEST_F(LogSinksTest, AFileThatCannotBeOpenedIsAnError) {
  std::ofstream(path().parent_path()) << "a file where the folder should be";
  const auto sink = file_log_sink({path(), LogFormat::kText, 1000, 2}, clock_);
  ASSERT_FALSE(sink.ok());
  EXPECT_THAT(sink.error().message(), HasSubstr("cannot open the log file"));
  EXPECT_THAT(sink.error().message(), HasSubstr(path().string()));
}

TEST_F(LogSinksTest, AFifoWithoutAReaderIsAnError) {
  const auto fifo = (folder_ / "fifo").string();
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_FALSE(file_log_sink({fifo, LogFormat::kText, 1000, 2}, clock_).ok());
}

TEST_F(LogSinksTest, AFileOfNoSizeIsAnError) {
  EXPECT_FALSE(file_log_sink({path(), LogFormat::kText, 0, 2}, clock_).ok());
}

TEST_F(LogSinksTest, AFileOnAFullDiskIsAnErrorUntilItIsTriedAgain) {
  const auto sink = file_log_sink({"/dev/full", LogFormat::kText, 1000, 2}, clock_).value();
  EXPECT_THAT(sink->write(info_record("one")).error().message(),
              HasSubstr("cannot write the log file"));
  EXPECT_THAT(sink->write(info_record("two")).error().message(), HasSubstr("just now"));
  clock_.advance(std::chrono::seconds(1));
  EXPECT_THAT(sink->write(info_record("three")).error().message(),
              HasSubstr("cannot write the log file"));
}

TEST_F(LogSinksTest, AFailedRotationIsSurvived) {
  const auto sink = open(formatted("one").size());
  EXPECT_TRUE(sink->write(info_record("one")).ok());
  break_folder();
  EXPECT_FALSE(sink->write(info_record("two")).ok());
  EXPECT_FALSE(sink->write(info_record("x")).ok());
  clock_.advance(std::chrono::seconds(1));
  EXPECT_FALSE(sink->write(info_record("y")).ok());
  mend_folder();
  EXPECT_FALSE(sink->write(info_record("z")).ok()) << "tried again too soon";
  clock_.advance(std::chrono::seconds(1));
  EXPECT_TRUE(sink->write(info_record("three")).ok());
  EXPECT_EQ(content_of(path()), "\n" + formatted("three"));
}

}  // namespace
}  // namespace clever::base
