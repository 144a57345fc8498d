#include "base/task_group.h"

#include <deque>
#include <optional>
#include <utility>

#include "base/monitor.h"
#include "base/thread_pool.h"

namespace clever::base {
namespace {

struct Queued {
  std::uint64_t number;
  TaskGroup::Work work;
};

struct Progress {
  std::deque<Queued> queued;
  std::size_t running = 0;
  std::uint64_t last_number = 0;
  std::optional<Error> first_error;

  [[nodiscard]] bool finished() const { return queued.empty() && running == 0; }

  std::optional<Queued> begin_next() {
    if (queued.empty()) return std::nullopt;
    Queued next = std::move(queued.front());
    queued.pop_front();
    ++running;
    return next;
  }

  void note(const Result<void>& result) {
    if (!result.ok() && !first_error) first_error = result.error();
  }
};

}  // namespace

// Every spawned task has one ticket in the pool. A ticket runs the group's next task, if any: a
// waiting thread may have run its own task already.
class TaskGroup::State : public std::enable_shared_from_this<TaskGroup::State> {
 public:
  State(ThreadPool& pool, const StopToken& parent, OnError on_error)
      : pool_(pool), on_error_(on_error), stop_(parent) {}

  Result<void> spawn(Work&& work) {
    if (stop_.stop_requested()) return cancelled("the task group was stopped");
    const std::uint64_t number = progress_.update([&](Progress& progress) {
      progress.queued.push_back({++progress.last_number, std::move(work)});
      return progress.last_number;
    });
    Result<void> ticket = pool_.post([self = shared_from_this()] { self->run_next(); });
    if (ticket.ok()) return ticket;
    return take_back(number, work) ? std::move(ticket) : Result<void>{};
  }

  void request_stop() { stop_.request_stop(); }
  [[nodiscard]] StopToken token() const { return stop_.token(); }

  Result<void> wait(const StopToken& stop, Deadline deadline) {
    while (!stop.stop_requested() && !deadline.passed() && run_next()) {
    }
    CLEVER_TRY(progress_.wait(stop, deadline, [](const Progress& p) { return p.finished(); }));
    return progress_.update([](Progress& progress) -> Result<void> {
      if (!progress.first_error) return {};
      return *std::exchange(progress.first_error, std::nullopt);
    });
  }

  void stop_and_join() {
    request_stop();
    std::deque<Queued> dropped =
        progress_.update([](Progress& progress) { return std::exchange(progress.queued, {}); });
    dropped.clear();
    progress_.wait({}, Deadline::never(), [](const Progress& p) { return p.finished(); }).value();
  }

 private:
  bool run_next() {
    std::optional<Queued> next = progress_.update([](Progress& p) { return p.begin_next(); });
    if (!next) return false;
    Result<void> result = stop_.stop_requested()
                              ? Result<void>(cancelled("the task group was stopped"))
                              : next->work(stop_.token());
    next->work = nullptr;  // destroys its captures before the group counts as finished
    // Recorded before the others are stopped, so that the first error is not one of their
    // `cancelled`.
    progress_.update([&](Progress& progress) { progress.note(result); });
    if (!result.ok() && on_error_ == OnError::kStopOthers) stop_.request_stop();
    progress_.update([](Progress& progress) { --progress.running; });
    return true;
  }

  /// Undoes a spawn whose ticket was refused; returns false if a waiter has begun the task already.
  bool take_back(std::uint64_t number, Work& work) {
    return progress_.update([&](Progress& progress) {
      for (auto it = progress.queued.begin(); it != progress.queued.end(); ++it) {
        if (it->number != number) continue;
        work = std::move(it->work);
        progress.queued.erase(it);
        return true;
      }
      return false;
    });
  }

  ThreadPool& pool_;
  const OnError on_error_;
  StopSource stop_;
  Monitor<Progress> progress_;
};

TaskGroup::TaskGroup(ThreadPool& pool, const StopToken& parent, OnError on_error)
    : state_(std::make_shared<State>(pool, parent, on_error)) {}
TaskGroup::~TaskGroup() { state_->stop_and_join(); }

Result<void> TaskGroup::spawn(Work&& work) { return state_->spawn(std::move(work)); }
void TaskGroup::request_stop() { state_->request_stop(); }
StopToken TaskGroup::token() const { return state_->token(); }
Result<void> TaskGroup::wait(const StopToken& stop, Deadline deadline) {
  return state_->wait(stop, deadline);
}

}  // namespace clever::base
