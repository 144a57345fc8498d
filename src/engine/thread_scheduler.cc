#include "engine/thread_scheduler.h"

#include <utility>

#include "base/strand.h"

namespace clever::engine {
namespace {

class PendingTimer final : public Alarm {
 public:
  explicit PendingTimer(base::Timer timer) : timer_(std::move(timer)) {}

 private:
  base::Timer timer_;
};

base::ThreadPool::Options pool(std::string name, unsigned threads, std::size_t limit) {
  return {.name = std::move(name), .threads = threads, .queue_limit = limit};
}

}  // namespace

ThreadScheduler::ThreadScheduler(base::Clock& clock) : ThreadScheduler(clock, Options{}) {}

ThreadScheduler::ThreadScheduler(base::Clock& clock, const Options& options)
    : clock_(clock),
      strands_(pool("plans", options.strands, options.queue_limit)),
      blocking_(pool("work", options.blocking, options.queue_limit)),
      storing_(pool("store", options.storing, options.queue_limit)),
      timers_(clock, {.limit = options.alarms}) {}

std::unique_ptr<base::Executor> ThreadScheduler::make_strand() {
  return std::make_unique<base::Strand>(strands_);
}

std::unique_ptr<Alarm> ThreadScheduler::at(base::TimePoint due, base::Executor& executor,
                                           base::Task&& task) {
  auto timer = timers_.at(due, executor, std::move(task));
  if (timer.ok()) return std::make_unique<PendingTimer>(std::move(*timer));
  // A refused task was not moved from, so it runs at once: too early is better than never.
  (void)executor.post(std::move(task));
  return std::make_unique<PendingTimer>(base::Timer());
}

}  // namespace clever::engine
