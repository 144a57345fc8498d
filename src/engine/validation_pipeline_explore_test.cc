// Validations under the explorer: lanes take, tell and end beside each other and beside a stop.
#include <gtest/gtest.h>

#include <deque>

#include "base/atomic.h"
#include "base/guarded.h"
#include "engine/validation_pipeline.h"
#include "explore/explore.h"

namespace clever::engine {
namespace {

using explore::Failure;
using explore::Run;
using explore::Strategy;
using model::Validation;
using model::ValidationResult;

// Its tasks are run by the threads of the schedule.
class SharedExecutor final : public base::Executor {
 public:
  base::Result<void> post(base::Task&& task) override {
    tasks_.with([&](auto& tasks) { tasks.push_back(std::move(task)); });
    return {};
  }
  void run_some() {
    while (true) {
      base::Task task = tasks_.with([](auto& tasks) {
        base::Task next;
        if (!tasks.empty()) {
          next = std::move(tasks.front());
          tasks.pop_front();
        }
        return next;
      });
      if (!task) return;
      task();
    }
  }

 private:
  base::Guarded<std::deque<base::Task>> tasks_;
};

constexpr auto kRanTwice = "a validation ran twice, or never";

// As it would be written at first: the next one is looked up, then counted.
void run_naively(Run& run) {
  explore::Racy<int> next(0);
  base::Atomic<int> first{0};   // how often each was run
  base::Atomic<int> second{0};  // the same of the second
  for (const auto* name : {"one", "other"}) {
    run.thread(name, [&] {
      while (true) {
        const int index = next.read();
        if (index == 2) return;
        next.write(index + 1);
        (index == 0 ? first : second).fetch_add(1);
      }
    });
  }
  run.join();
  run.require(first.load() == 1 && second.load() == 1, kRanTwice);
}

void run_validations(Run& run) {
  SharedExecutor executor;
  ValidationPipeline pipeline(executor, {.parallel = 2});
  base::Atomic<int> runs{0};      // checks that ended
  base::Atomic<int> telling{0};   // at this moment
  base::Atomic<int> reported{0};  // results so far
  base::Atomic<int> ends{0};      // of the whole
  pipeline.start({.validations = {{.name = "a"}, {.name = "b"}, {.name = "c"}},
                  .check =
                      [&](const Validation& validation, const base::StopToken&) {
                        runs.fetch_add(1);
                        return ValidationResult{.name = validation.name, .passed = true};
                      },
                  .on_result =
                      [&](const ValidationResult&) {
                        run.require(telling.fetch_add(1) == 0, "two results are told at once");
                        reported.fetch_add(1);
                        telling.fetch_sub(1);
                      }},
                 [&](auto results) {
                   ends.fetch_add(1);
                   run.require(results.ok() && results->size() == 3, "a result is missing");
                   run.require(reported.load() == 3, "the end came before a result was told");
                 });
  run.thread("one", [&] { executor.run_some(); });
  run.thread("other", [&] { executor.run_some(); });
  run.join();
  run.require(runs.load() == 3, kRanTwice);
  run.require(ends.load() == 1, "exactly one end");
}

void stop_validations(Run& run) {
  SharedExecutor executor;
  ValidationPipeline pipeline(executor, {.parallel = 2});
  base::StopSource stop;
  base::Atomic<int> running{0};  // checks that have not ended
  base::Atomic<int> ends{0};     // of the whole
  pipeline.start({.validations = {{.name = "a"}, {.name = "b"}},
                  .check =
                      [&](const Validation& validation, const base::StopToken&) {
                        running.fetch_add(1);
                        running.fetch_sub(1);
                        return ValidationResult{.name = validation.name};
                      },
                  .stop = stop.token()},
                 [&](const auto&) {
                   ends.fetch_add(1);
                   run.require(running.load() == 0, "something runs after the end");
                 });
  run.thread("one", [&] { executor.run_some(); });
  run.thread("other", [&] { executor.run_some(); });
  run.thread("stops", [&] { stop.request_stop(); });
  run.join();
  run.require(ends.load() == 1, "exactly one end");
}

TEST(ValidationPipelineExplore, LookingUpAndCountingApartRunsOneTwice) {
  EXPECT_FINDS(Failure::kCheck, explore::explore({.strategy = Strategy::kExhaustive}, run_naively));
}

TEST(ValidationPipelineExplore, EachRunsOnceAndTheEndComesLast) {
  for (const auto strategy : {Strategy::kExhaustive, Strategy::kRandom, Strategy::kPct}) {
    EXPECT_NO_FAILURE(explore::explore({.strategy = strategy, .schedules = 1000}, run_validations));
  }
}

TEST(ValidationPipelineExplore, StoppedItEndsOnceWithNothingRunning) {
  for (const auto strategy : {Strategy::kExhaustive, Strategy::kRandom, Strategy::kPct}) {
    EXPECT_NO_FAILURE(
        explore::explore({.strategy = strategy, .schedules = 1000}, stop_validations));
  }
}

}  // namespace
}  // namespace clever::engine
