#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/log.h"
#include "base/log_sinks.h"
#include "base/thread.h"

namespace clever::base {
namespace {

namespace fs = std::filesystem;

constexpr int kLoggingThreads = 16;
constexpr int kRecords = 500;

class LogStressTest : public testing::Test {
 protected:
  LogStressTest() {
    std::string pattern = (fs::temp_directory_path() / "clever_log_XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~LogStressTest() override { fs::remove_all(folder_); }

  // Every thread logs its records through a child of its own.
  void log_from_all_threads(const Logger& logger) {
    std::vector<std::unique_ptr<Thread>> threads;
    for (int t = 0; t < kLoggingThreads; ++t) {
      threads.push_back(std::make_unique<Thread>(
          "logger", [this, t, child = logger.with({{"thread", t}})](StopToken) {
            for (int i = 0; i < kRecords; ++i) {
              child.info("work", {{"number", i},
                                  {"filler", std::string(static_cast<std::size_t>(i % 97), 'x')}});
              if (i % 100 == 0)
                redactor_->add("a secret of thread " + std::to_string(t * 1000 + i));
            }
          }));
    }
    for (auto& thread : threads) thread->join();
  }

  // The records are those of kLoggingThreads × kRecords, each once, whole, in its thread's order.
  static void check_lines(const std::vector<std::string>& lines) {
    std::map<std::string, int> next;
    for (const std::string& line : lines) {
      const auto thread = line.find("\"thread\":");
      const auto number = line.find(",\"number\":");
      const auto filler = line.find(",\"filler\":\"");
      ASSERT_TRUE(line.starts_with("{\"time\":\"") && line.ends_with("\"}")) << line;
      ASSERT_TRUE(thread < number && number < filler && filler != std::string::npos) << line;
      const int i = std::stoi(line.substr(number + 10));
      EXPECT_EQ(line.substr(filler + 11),
                std::string(static_cast<std::size_t>(i % 97), 'x') + "\"}");
      EXPECT_EQ(next[line.substr(thread, number - thread)]++, i);
    }
    EXPECT_EQ(next.size(), static_cast<std::size_t>(kLoggingThreads));
    EXPECT_EQ(lines.size(), static_cast<std::size_t>(kLoggingThreads) * kRecords);
  }

  static void append_lines(std::vector<std::string>& lines, const fs::path& path) {
    std::ifstream in(path);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
  }

  fs::path folder_;
  SystemClock clock_;
  std::shared_ptr<Redactor> redactor_ = std::make_shared<Redactor>();
};

TEST_F(LogStressTest, ADescriptorGetsEveryLineWhole) {
  const fs::path path = folder_ / "out";
  std::FILE* file = std::fopen(path.c_str(), "w");
  ASSERT_NE(file, nullptr);
  log_from_all_threads(
      {clock_, redactor_, {descriptor_log_sink(::fileno(file), LogFormat::kJson)}});
  std::fclose(file);
  std::vector<std::string> lines;
  append_lines(lines, path);
  check_lines(lines);
}

TEST_F(LogStressTest, ARotatedFileLosesAndTearsNothing) {
  constexpr std::size_t kOldFiles = 100;
  const auto sink =
      file_log_sink({folder_ / "a.log", LogFormat::kJson, 100'000, kOldFiles}, clock_).value();
  const Logger logger(clock_, redactor_, {sink});
  log_from_all_threads(logger);
  std::vector<std::string> lines;
  for (std::size_t i = kOldFiles; i > 0; --i) {
    append_lines(lines, folder_ / ("a." + std::to_string(i) + ".log"));
  }
  EXPECT_GT(lines.size(), 0U) << "nothing was rotated";
  append_lines(lines, folder_ / "a.log");
  check_lines(lines);
  EXPECT_EQ(logger.dropped(), 0U);
}

TEST_F(LogStressTest, TheLevelMayChangeMeanwhile) {
  const auto sink = std::make_shared<CapturingSink>();
  const Logger logger(clock_, redactor_, {sink});
  {
    Thread toggler("toggler", [&logger](StopToken stop) {
      while (!stop.stop_requested()) {
        logger.set_level(LogLevel::kOff);
        logger.set_level(LogLevel::kInfo);
      }
    });
    log_from_all_threads(logger);
  }
  EXPECT_LE(sink->records().size(), static_cast<std::size_t>(kLoggingThreads) * kRecords);
  EXPECT_EQ(logger.dropped(), 0U);
}

}  // namespace
}  // namespace clever::base
