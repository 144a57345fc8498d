#include "context/parallel_strategy_executor.h"

#include <algorithm>
#include <exception>
#include <map>
#include <utility>

#include "base/guarded.h"
#include "base/plant.h"
#include "context/internal/strategy_batch.h"
#include "context/internal/strategy_lane.h"

namespace clever::context {
namespace {

using internal::StrategyBatch;
using internal::StrategyLane;
using internal::StrategyRun;

// More names than any configuration has: a name that changes with every call must not cost a thread
// each time.
constexpr std::size_t kMostLanes = 256;

ExecutorOptions sensible(ExecutorOptions options) {
  options.max_workers = std::max<std::size_t>(options.max_workers, 1);
  options.runs_per_strategy = std::max<std::size_t>(options.runs_per_strategy, 1);
  return options;
}

}  // namespace

class ParallelStrategyExecutor::Impl {
 public:
  Impl(base::Clock& clock, base::Random& random, const ExecutorOptions& options,
       std::shared_ptr<StrategyLanes> lanes)
      : clock_(clock),
        options_(sensible(options)),
        circuits_(clock, random, options.circuit),
        shared_(lanes != nullptr ? std::move(lanes) : make_strategy_lanes()) {}

  std::vector<StrategyOutcome> run(const Question& question, const std::vector<Job>& jobs,
                                   const base::StopToken& stop) {
    // A copy, because an abandoned run may go on reading it.
    const auto copy = std::make_shared<const Question>(question);
    StrategyBatch batch(clock_, options_);
    for (const Job& job : jobs) add(batch, copy, job);
    return batch.run(stop);
  }

  base::CircuitBreaker& circuits() { return circuits_; }

 private:
  using Lanes = std::map<std::string, std::shared_ptr<StrategyLane>, std::less<>>;

  // Even a strategy's description of itself may fail.
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
      batch.add({.how = How::kFailed, .remark = "it threw an unknown exception"});
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
    batch.add(name, std::move(lane), circuits_.circuit(name), std::move(run),
              own > base::Duration::zero() ? own : options_.deadline);
  }

  // Returns none if there are too many.
  std::shared_ptr<StrategyLane> lane_of(const std::string& name) {
    if (base::planted("executor.forgets_its_lanes")) {
      return std::make_shared<StrategyLane>(name, options_.runs_per_strategy);
    }
    auto known = lanes_.with([&](const Lanes& lanes) {
      const auto place = lanes.find(name);
      return place == lanes.end() ? nullptr : place->second;
    });
    if (known != nullptr) return known;
    auto lane = shared_->lane(name, options_.runs_per_strategy);
    if (lane == nullptr) return nullptr;
    return lanes_.with([&](Lanes& lanes) { return lanes.emplace(name, lane).first->second; });
  }

  // Constant after construction.
  base::Clock& clock_;
  const ExecutorOptions options_;

  base::CircuitBreaker circuits_;
  const std::shared_ptr<StrategyLanes> shared_;
  // Lanes are never removed. Declared last, because it joins the threads.
  base::Guarded<Lanes> lanes_;
};

ParallelStrategyExecutor::ParallelStrategyExecutor(std::unique_ptr<Impl> impl)
    : impl_(std::move(impl)) {}
ParallelStrategyExecutor::~ParallelStrategyExecutor() = default;
std::vector<StrategyOutcome> ParallelStrategyExecutor::run(const Question& question,
                                                           const std::vector<Job>& jobs,
                                                           const base::StopToken& stop) {
  return impl_->run(question, jobs, stop);
}
base::CircuitBreaker& ParallelStrategyExecutor::circuits() { return impl_->circuits(); }

std::shared_ptr<StrategyLane> StrategyLanes::lane(const std::string& name, std::size_t places) {
  bool full = false;
  auto known = known_.with([&](Known& lanes) {
    std::erase_if(lanes, [](const auto& lane) { return lane.second.expired(); });
    full = lanes.size() >= kMostLanes;
    const auto place = lanes.find(name);
    return place == lanes.end() ? nullptr : place->second.lock();
  });
  if (known != nullptr || full) return known;
  // Made without the lock. If two threads make one, the second is dropped.
  auto made = std::make_shared<StrategyLane>(name, places);
  return known_.with([&](Known& lanes) {
    std::weak_ptr<StrategyLane>& place = lanes[name];
    if (auto other = place.lock()) return other;
    place = made;
    return made;
  });
}

std::shared_ptr<StrategyLanes> make_strategy_lanes() { return std::make_shared<StrategyLanes>(); }

std::unique_ptr<ParallelStrategyExecutor> ParallelStrategyExecutor::make(
    base::Clock& clock, base::Random& random, const ExecutorOptions& options,
    std::shared_ptr<StrategyLanes> lanes) {
  return std::unique_ptr<ParallelStrategyExecutor>(new ParallelStrategyExecutor(
      std::make_unique<Impl>(clock, random, options, std::move(lanes))));
}

}  // namespace clever::context
