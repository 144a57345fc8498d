#include "context/parallel_strategy_executor.h"

#include <algorithm>
#include <exception>
#include <map>
#include <utility>

#include "base/guarded.h"
#include "context/internal/strategy_batch.h"
#include "context/internal/strategy_lane.h"

namespace clever::context {
namespace {

using internal::StrategyBatch;
using internal::StrategyLane;
using internal::StrategyRun;

// More names than any configuration has: one that changes with every call must not cost a thread
// each time.
constexpr std::size_t kMostLanes = 256;

ExecutorOptions sensible(ExecutorOptions options) {
  options.max_workers = std::max<std::size_t>(options.max_workers, 1);
  options.runs_per_strategy = std::max<std::size_t>(options.runs_per_strategy, 1);
  return options;
}

class Executor final : public ParallelStrategyExecutor {
 public:
  Executor(base::Clock& clock, base::Random& random, const ExecutorOptions& options)
      : clock_(clock), options_(sensible(options)), circuits_(clock, random, options.circuit) {}

  std::vector<StrategyOutcome> run(const Question& question, const std::vector<Job>& jobs,
                                   const base::StopToken& stop) override {
    // Its own copy: a run that is given up may go on reading it.
    const auto copy = std::make_shared<const Question>(question);
    StrategyBatch batch(clock_, options_);
    for (const Job& job : jobs) add(batch, copy, job);
    return batch.run(stop);
  }

  base::CircuitBreaker& circuits() override { return circuits_; }

 private:
  using Lanes = std::map<std::string, std::shared_ptr<StrategyLane>, std::less<>>;

  // Even what a strategy says of itself may fail.
  void add(StrategyBatch& batch, const std::shared_ptr<const Question>& question, const Job& job) {
    using How = StrategyOutcome::How;
    if (job.strategy == nullptr) {
      return batch.add({.how = How::kFailed, .remark = "there is no strategy"});
    }
    try {
      add_named(batch, question, job, std::string(job.strategy->name()));
    } catch (const std::exception& thrown) {
      batch.add({.how = How::kFailed, .remark = std::string("it threw: ") + thrown.what()});
    } catch (...) {
      batch.add({.how = How::kFailed, .remark = "it threw something unknown"});
    }
  }

  void add_named(StrategyBatch& batch, const std::shared_ptr<const Question>& question,
                 const Job& job, std::string name) {
    const base::Duration own = job.strategy->time_limit();
    auto lane = lane_of(name);
    if (lane == nullptr) {
      return batch.add({.strategy = std::move(name), .remark = "there are too many strategies"});
    }
    auto run = std::make_shared<StrategyRun>(
        job.strategy, question, job.budget,
        internal::CandidateLimits{options_.most_candidates, options_.most_text}, clock_,
        batch.bell());
    batch.add(std::move(name), std::move(lane), std::move(run),
              own > base::Duration::zero() ? own : options_.deadline);
  }

  // None: there are too many.
  std::shared_ptr<StrategyLane> lane_of(const std::string& name) {
    bool full = false;
    auto known = lanes_.with([&](const Lanes& lanes) {
      full = lanes.size() >= kMostLanes;
      const auto place = lanes.find(name);
      return place == lanes.end() ? nullptr : place->second;
    });
    if (known != nullptr || full) return known;
    // Without the lock: the breaker has its own. Whoever comes second uses the first one's.
    auto made =
        std::make_shared<StrategyLane>(name, options_.runs_per_strategy, circuits_.circuit(name));
    return lanes_.with([&](Lanes& lanes) { return lanes.emplace(name, made).first->second; });
  }

  // Constant after construction.
  base::Clock& clock_;
  const ExecutorOptions options_;

  base::CircuitBreaker circuits_;
  // None is ever removed. Last: it joins the threads.
  base::Guarded<Lanes> lanes_;
};

}  // namespace

std::unique_ptr<ParallelStrategyExecutor> ParallelStrategyExecutor::make(
    base::Clock& clock, base::Random& random, const ExecutorOptions& options) {
  return std::make_unique<Executor>(clock, random, options);
}

}  // namespace clever::context
