#include "engine/validation_pipeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <memory>

#include "base/guarded.h"
#include "base/thread_pool.h"

namespace clever::engine {
namespace {

using model::Validation;
using model::ValidationResult;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<Validation> named(const std::vector<std::string>& names) {
  std::vector<Validation> all;
  for (const std::string& name : names) all.push_back({.name = name});
  return all;
}

std::vector<std::string> names_of(const std::vector<ValidationResult>& results) {
  std::vector<std::string> names;
  for (const ValidationResult& result : results) names.push_back(result.name);
  return names;
}

ValidationResult passes(const Validation& validation, const base::StopToken&) {
  return {.name = validation.name, .passed = true};
}

// Runs what it is given when it is told to.
class HandExecutor final : public base::Executor {
 public:
  base::Result<void> post(base::Task&& task) override {
    if (tasks.size() == most) return base::resource_exhausted("full");
    tasks.push_back(std::move(task));
    return {};
  }
  void run_one() {
    base::Task task = std::move(tasks.front());
    tasks.pop_front();
    task();
  }
  void run_all() {
    while (!tasks.empty()) run_one();
  }

  std::deque<base::Task> tasks;
  std::size_t most = 100;
};

TEST(ValidationPipeline, ResultsComeInTheOrderOfTheValidations) {
  base::ThreadPool pool({.threads = 3});
  ValidationPipeline pipeline(pool, {.parallel = 3});
  const auto results =
      pipeline.run({.validations = named({"a", "b", "c", "d", "e"}), .check = passes}).value();
  EXPECT_THAT(names_of(results), ElementsAre("a", "b", "c", "d", "e"));
}

TEST(ValidationPipeline, NothingIsDoneAtOnce) {
  HandExecutor executor;
  ValidationPipeline pipeline(executor);
  EXPECT_THAT(pipeline.run({.validations = {}, .check = passes}).value(), IsEmpty());
  EXPECT_TRUE(executor.tasks.empty());
}

TEST(ValidationPipeline, TakesNoMorePlacesThanItMay) {
  HandExecutor executor;
  ValidationPipeline pipeline(executor, {.parallel = 2});
  pipeline.start({.validations = named({"a", "b", "c", "d"}), .check = passes}, [](auto) {});
  EXPECT_EQ(executor.tasks.size(), 2U);
  executor.run_all();
}

TEST(ValidationPipeline, TakesAPlaceForOneThatIsNeeded) {
  HandExecutor executor;
  ValidationPipeline pipeline(executor, {.parallel = 0});
  int ends = 0;
  pipeline.start({.validations = named({"a", "b"}), .check = passes}, [&](auto results) {
    ++ends;
    EXPECT_EQ(results->size(), 2U);
  });
  EXPECT_EQ(executor.tasks.size(), 1U);
  executor.run_all();
  EXPECT_EQ(ends, 1);
}

TEST(ValidationPipeline, TellsEachResultBeforeTheEnd) {
  HandExecutor executor;
  ValidationPipeline pipeline(executor);
  std::vector<std::string> reported;
  bool ended = false;
  pipeline.start({.validations = named({"a", "b"}),
                  .check = passes,
                  .on_result =
                      [&](const ValidationResult& result) {
                        EXPECT_FALSE(ended);
                        reported.push_back(result.name);
                      }},
                 [&](auto) { ended = true; });
  executor.run_all();
  EXPECT_THAT(reported, ElementsAre("a", "b"));
  EXPECT_TRUE(ended);
}

TEST(ValidationPipeline, AStopLeavesTheRestOut) {
  HandExecutor executor;
  ValidationPipeline pipeline(executor, {.parallel = 1});
  base::StopSource stop;
  std::vector<std::string> ran;
  base::Result<std::vector<ValidationResult>> outcome = base::internal_error("no end");
  pipeline.start({.validations = named({"a", "b"}),
                  .check =
                      [&](const Validation& validation, const base::StopToken&) {
                        ran.push_back(validation.name);
                        stop.request_stop();
                        return ValidationResult{.name = validation.name};
                      },
                  .stop = stop.token()},
                 [&](auto results) { outcome = std::move(results); });
  executor.run_all();
  EXPECT_THAT(ran, ElementsAre("a"));
  EXPECT_EQ(outcome.error().code(), base::ErrorCode::kCancelled);
}

TEST(ValidationPipeline, WithFewerPlacesItTakesLonger) {
  HandExecutor executor;
  executor.most = 1;
  ValidationPipeline pipeline(executor, {.parallel = 4});
  std::size_t count = 0;
  pipeline.start({.validations = named({"a", "b", "c"}), .check = passes},
                 [&](auto results) { count = results->size(); });
  executor.run_all();
  EXPECT_EQ(count, 3U);
}

TEST(ValidationPipeline, WithoutAPlaceItSaysWhy) {
  HandExecutor executor;
  executor.most = 0;
  ValidationPipeline pipeline(executor);
  const auto results = pipeline.run({.validations = named({"a"}), .check = passes});
  EXPECT_EQ(results.error().code(), base::ErrorCode::kResourceExhausted);
}

}  // namespace
}  // namespace clever::engine
