// kill -9 while a run is recorded: what was answered is on the cassette, and the cassette is whole.
#include <gtest/gtest.h>
#include <unistd.h>

#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "base/thread_pool.h"
#include "io/file_descriptor.h"
#include "provider/replay/recording_backend.h"
#include "provider/scripted/scripted_backend.h"
#include "support/campaign.h"
#include "support/child_process.h"
#include "support/collected_attempt.h"
#include "support/scripts.h"
#include "support/temporary_directory.h"

namespace clever::provider {
namespace {

using test::user_says;

// Tells of an answer that came through.
class Telling final : public AttemptSink {
 public:
  Telling(int pipe, std::uint32_t number) : pipe_(pipe), number_(number) {}
  void on_delta(const Delta& /*delta*/) override {}
  void on_end(AttemptEnd end) override {
    if (end.answered()) (void)!::write(pipe_, &number_, sizeof(number_));
  }

 private:
  const int pipe_;
  const std::uint32_t number_;
};

// Asks and asks until it is killed.
int victim(const std::filesystem::path& tape, int pipe, std::uint32_t first) {
  base::SystemClock clock;
  base::ThreadPool pool({.threads = 3});
  base::TimerQueue timers(clock);
  auto recorder = CassetteRecorder::open(tape, pool).value();
  RecordingBackend backend("demo",
                           std::make_shared<ScriptedBackend>(
                               "demo", Script::parse(test::kEchoScript, "s").value(), timers, pool),
                           *recorder);
  for (std::uint32_t number = first; number < first + 10'000; number += 4) {
    for (std::uint32_t i = 0; i < 3; ++i) {
      (void)backend.start("m", user_says(std::to_string(number + i)),
                          std::make_shared<Telling>(pipe, number + i));
    }
    const auto sink = std::make_shared<test::CollectedAttempt>();
    const auto attempt = backend.start("m", user_says("wait"), sink);
    (void)sink->end();
  }
  return 0;
}

std::uint32_t read_number(int pipe) {
  std::uint32_t number = 0;
  return ::read(pipe, &number, sizeof(number)) == sizeof(number) ? number : UINT32_MAX;
}

TEST(CassetteKill, AnswersSurviveAKill) {
  const test::TemporaryDirectory folder;
  const std::filesystem::path tape = folder / "tape.jsonl";
  base::SeededRandom random(1);
  std::vector<std::uint32_t> answered;
  const std::size_t deaths = test::campaign(15, 300);
  for (std::uint32_t death = 0; death < deaths; ++death) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const io::FileDescriptor out(ends[0]);
    io::FileDescriptor in(ends[1]);
    test::ChildProcess child([&] { return victim(tape, ends[1], death * 100'000); });
    in.reset();
    for (std::uint64_t i = random.below(40) + 1; i > 0; --i) {
      answered.push_back(read_number(ends[0]));
    }
    child.kill_and_wait();
    for (auto number = read_number(ends[0]); number != UINT32_MAX; number = read_number(ends[0])) {
      answered.push_back(number);
    }
  }
  const Cassette cassette = Cassette::load(tape).value();
  std::set<std::string> recorded;
  for (const CassetteEntry& entry : cassette.entries) recorded.insert(entry.request);
  const base::Redactor redactor;
  EXPECT_GE(answered.size(), deaths);
  for (const std::uint32_t number : answered) {
    EXPECT_TRUE(recorded.contains(
        canonical_request("demo", "m", user_says(std::to_string(number)), redactor)))
        << number;
  }
}

}  // namespace
}  // namespace clever::provider
