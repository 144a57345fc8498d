#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <memory>
#include <string>

#include "base/guarded.h"
#include "base/log_sinks.h"
#include "base/redact.h"
#include "explore/explore.h"
#include "support/every_schedule.h"

namespace clever::base {
namespace {

// Each piece of a line is appended safely, the line as a whole is not.
struct NaiveLog {
  void write(const std::string& message) {
    text.with([&](std::string& t) { t += message; });
    text.with([](std::string& t) { t += '\n'; });
  }
  [[nodiscard]] std::string all() const {
    return text.with([](const std::string& t) { return t; });
  }
  Guarded<std::string> text;
};

// Our sink, writing into a pipe that is read at the end.
struct PipeLog {
  PipeLog() {
    if (::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) std::abort();
    sink = descriptor_log_sink(ends[1], LogFormat::kText);
  }
  ~PipeLog() {
    for (const int end : ends) ::close(end);
  }
  void write(const std::string& message) {
    sink->write({WallTime{}, LogLevel::kInfo, message, {}}).value();
  }
  [[nodiscard]] std::string all() const {
    std::array<char, 4096> buffer{};
    const ssize_t size = ::read(ends[0], buffer.data(), buffer.size());
    return {buffer.data(), static_cast<std::size_t>(size)};
  }
  std::array<int, 2> ends{};
  std::shared_ptr<LogSink> sink;
};

template <class Log>
void two_writers(explore::Run& run) {
  Log log;
  for (const char* name : {"aaa", "bbb"}) run.thread(name, [&, name] { log.write(name); });
  run.join();
  const std::string text = log.all();
  run.require(text.find("aaa\n") != std::string::npos && text.find("bbb\n") != std::string::npos,
              "a line was torn or lost");
}

TEST(LogExplore, ALineWrittenInPiecesIsTorn) {
  EXPECT_FINDS(explore::Failure::kCheck,
               explore::explore(test::kEverySchedule, two_writers<NaiveLog>));
}

TEST(LogExplore, ALineOfOursIsWhole) { test::expect_no_failing_schedule(two_writers<PipeLog>); }

// Publishes a new snapshot of what was known, as a redactor without a lock would.
struct NaiveSecrets {
  void add(unsigned bit) { known.write(known.read() | bit); }
  [[nodiscard]] bool knows_both() const { return known.read() == 3U; }
  explore::Racy<unsigned> known;
};

struct RedactorSecrets {
  void add(unsigned bit) { redactor.add(bit == 1U ? "correct-horse" : "battery-staple"); }
  [[nodiscard]] bool knows_both() const {
    const std::string text = redactor.redact("correct-horse battery-staple");
    return text.find("horse") == std::string::npos && text.find("staple") == std::string::npos;
  }
  Redactor redactor;
};

template <class Secrets>
void two_secrets(explore::Run& run) {
  Secrets secrets;
  run.thread("one", [&] { secrets.add(1U); });
  run.thread("two", [&] { secrets.add(2U); });
  run.join();
  run.require(secrets.knows_both(), "a secret was forgotten");
}

TEST(RedactorExplore, ASnapshotWithoutALockForgetsASecret) {
  EXPECT_FINDS(explore::Failure::kCheck,
               explore::explore(test::kEverySchedule, two_secrets<NaiveSecrets>));
}

TEST(RedactorExplore, OursForgetsNone) {
  test::expect_no_failing_schedule(two_secrets<RedactorSecrets>);
}

}  // namespace
}  // namespace clever::base
