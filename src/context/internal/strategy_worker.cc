#include "context/internal/strategy_worker.h"

#include <system_error>
#include <utility>

namespace clever::context::internal {

StrategyWorker::StrategyWorker(std::string name, std::shared_ptr<StrategyTurns> turns,
                               std::size_t place)
    : name_(std::move(name)),
      turns_(std::move(turns)),
      place_(place),
      desk_(std::make_shared<base::Monitor<Desk>>()) {}

StrategyWorker::~StrategyWorker() {
  // Destroys a run that has not begun here, without the lock.
  std::shared_ptr<StrategyRun> dropped;
  const bool lost = desk_->update([&](Desk& desk) {
    desk.closed = true;
    dropped.swap(desk.work);
    return desk.in_strategy;
  });
  if (lost && thread_) thread_->let_go();
}

base::Result<void> StrategyWorker::start(std::shared_ptr<StrategyRun> run) {
  if (!thread_) {
    try {
      thread_.emplace(
          name_, [desk = desk_, turns = turns_, place = place_] { serve(desk, *turns, place); });
    } catch (const std::system_error& refused) {
      return base::resource_exhausted(std::string("no thread to run it on: ") + refused.what());
    }
  }
  desk_->update([&](Desk& desk) { desk.work = std::move(run); });
  return {};
}

std::shared_ptr<StrategyRun> StrategyWorker::next(base::Monitor<Desk>& desk) {
  const auto has_something = [](const Desk& d) { return d.closed || d.work != nullptr; };
  return desk
      .update_when({}, has_something,
                   [](Desk& d) {
                     d.in_strategy = d.work != nullptr;
                     return std::move(d.work);
                   })
      .value();
}

void StrategyWorker::serve(const SharedDesk& desk, StrategyTurns& turns, std::size_t place) {
  while (const auto run = next(*desk)) {
    auto answer = run->propose();
    // Frees the place before the answer is visible: its reader may start the next run.
    turns.end(place);
    desk->update([](Desk& d) { d.in_strategy = false; });
    run->settle(std::move(answer));
  }
}

}  // namespace clever::context::internal
