#include <gtest/gtest.h>

#include <array>
#include <set>

#include "base/guarded.h"
#include "base/monitor.h"
#include "explore/explore.h"
#include "storage/sqlite/internal/commit_mark.h"
#include "support/every_schedule.h"
#include "support/temporary_directory.h"

namespace clever::storage::sqlite {
namespace {

// Takes what it names for told, whatever others have named before it.
class NaiveMark {
 public:
  explicit NaiveMark(io::SharedNumbers numbers) : numbers_(std::move(numbers)) {}

  void begin() {}
  void end(std::span<const std::uint64_t> topics) {
    const std::uint64_t named = numbers_.load(0);
    numbers_.store(1 + named, topics);
    numbers_.store(0, named + topics.size());
    reported_.with([&](std::uint64_t& reported) { reported = named + topics.size(); });
  }
  CommitMark::News news() {
    const std::uint64_t reported = reported_.with([](std::uint64_t value) { return value; });
    CommitMark::News news;
    news.topics.resize(numbers_.load(0) - reported);
    numbers_.load(1 + reported, news.topics);
    reported_.with([&](std::uint64_t& value) { value = reported + news.topics.size(); });
    return news;
  }

 private:
  io::SharedNumbers numbers_;
  base::Guarded<std::uint64_t> reported_;
};

// Two processes commit in turns, and one of them watches.
template <class Mark>
explore::Outcome explore_two_processes() {
  return explore::explore(test::kEverySchedule, [](explore::Run& run) {
    const test::TemporaryDirectory folder;
    const auto open = [&] { return Mark(io::SharedNumbers::open(folder / "mark").value()); };
    Mark ours = open();
    Mark theirs = open();
    base::Monitor<bool> turn;  // taken
    const auto commit = [&](Mark& mark, std::uint64_t topic) {
      turn.update_when(
              {}, base::Deadline::never(), [](bool taken) { return !taken; },
              [](bool& taken) { return taken = true; })
          .value();
      mark.begin();
      mark.end(std::array{topic});
      turn.update([](bool& taken) { taken = false; });
    };
    std::set<std::uint64_t> heard;
    const auto listen = [&] {
      const CommitMark::News news = ours.news();
      heard.insert(news.topics.begin(), news.topics.end());
    };
    run.thread("we", [&] { commit(ours, 1); });
    run.thread("they", [&] {
      commit(theirs, 2);
      commit(theirs, 3);
    });
    run.thread("watcher", [&] {
      listen();
      listen();
    });
    run.join();
    listen();
    run.require(heard.contains(2) && heard.contains(3), "a commit of theirs was not heard of");
  });
}

TEST(CommitMarkExplore, CommitsOfOthersAreNoticedWhileWeCommit) {
  const auto outcome = explore_two_processes<CommitMark>();
  EXPECT_FALSE(outcome.failed()) << outcome;
  EXPECT_TRUE(outcome.complete) << outcome;
}

TEST(CommitMarkExplore, TakingOurOwnForAllThatWasNamedLosesTheirs) {
  EXPECT_FINDS(explore::Failure::kCheck, explore_two_processes<NaiveMark>());
}

}  // namespace
}  // namespace clever::storage::sqlite
