#include <gtest/gtest.h>

#include "base/atomic.h"
#include "base/thread.h"
#include "base/thread_pool.h"
#include "engine/validation_pipeline.h"

namespace clever::engine {
namespace {

std::vector<model::Validation> many(int count) {
  std::vector<model::Validation> all;
  for (int i = 0; i < count; ++i) all.push_back({.name = std::to_string(i)});
  return all;
}

// Many runs on one pool, some of them stopped: each ends once, and the others have all results.
TEST(ValidationPipelineStress, RunsShareAPool) {
  constexpr int kRuns = 200;
  constexpr int kEach = 20;
  base::Atomic<int> checks{0};  // over all runs
  base::Atomic<int> whole{0};   // runs with all results
  base::Atomic<int> ends{0};    // runs that ended
  {
    base::ThreadPool pool({.threads = 8});
    ValidationPipeline pipeline(pool, {.parallel = 4});
    std::vector<std::unique_ptr<base::StopSource>> stops;
    for (int i = 0; i < kRuns; ++i) {
      stops.push_back(std::make_unique<base::StopSource>());
      pipeline.start({.validations = many(kEach),
                      .check =
                          [&](const model::Validation& validation, const base::StopToken&) {
                            checks.fetch_add(1);
                            return model::ValidationResult{.name = validation.name, .passed = true};
                          },
                      .on_result = [&](const model::ValidationResult&) {},
                      .stop = stops.back()->token()},
                     [&](auto results) {
                       if (results.ok() && results->size() == kEach) whole.fetch_add(1);
                       ends.fetch_add(1);
                     });
      if (i % 5 == 0) stops.back()->request_stop();
    }
  }
  EXPECT_EQ(ends.load(), kRuns);
  EXPECT_GE(whole.load(), kRuns - kRuns / 5);
  EXPECT_GE(checks.load(), whole.load() * kEach);
}

}  // namespace
}  // namespace clever::engine
