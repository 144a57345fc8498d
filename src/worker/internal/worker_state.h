#pragma once
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/monitor.h"
#include "worker/async_worker.h"

namespace clever::worker::internal {

/// State shared by an AsyncWorker, its jobs, its timers and its calls to the store.
///
/// A job is buffered, posted to the executor, running in the handler, ended (its settlement waits
/// or is being written), gone. A job with a lost lease is dropped at once, and its handler's later
/// answer ignored. At most one exchange with the store is in progress; meanwhile endings collect
/// for the next one.
///
/// Thread-safe. Only sets timers under the lock. After drained() nothing touches the store, the
/// executor or the timers again, even if this object is still held.
class WorkerState : public std::enable_shared_from_this<WorkerState> {
 public:
  WorkerState(JobStore& store, base::Executor& executor, base::TimerQueue& timers,
              base::Clock& clock, AsyncWorker::Handler handler, AsyncWorker::Options options);

  /// There may be jobs to claim.
  void wake();
  /// Renews the leases and learns which are lost, periodically.
  void renew();
  /// Claims nothing more and returns jobs that have not begun.
  void stop_claiming();
  /// Asks all running jobs to stop; what cannot be written now is never written.
  void stop_running();
  base::Result<void> wait_until_drained(const base::StopToken& stop, base::Deadline deadline);
  void drop_timers();

  /// The handler ended an attempt, which failed if there is a failure.
  void ended(const Lease& lease, std::optional<Failure> failure);
  /// The handler is done with an attempt, and the job waits again.
  void gave_back(const Lease& lease);
  /// As in Slot.
  [[nodiscard]] bool give_up_slot(const Lease& lease);
  void take_slot_again(const Lease& lease, std::function<void()> go);

 private:
  struct Held {
    Job job;
    // By our clock, not later than by the database's.
    base::TimePoint valid_until;
    base::StopSource stop;
    bool posted = false;
  };
  using HeldJob = std::shared_ptr<Held>;
  struct State {
    std::map<JobId, HeldJob> held;  // buffered, posted or running under a valid lease
    std::deque<HeldJob> buffer;     // may name some lost ones
    std::size_t posted = 0;         // with the executor or the handler, including lost ones
    std::set<Lease> waiting;        // with the handler, without a slot
    std::set<Lease> cancelled;      // those whose job was cancelled
    // Those of `waiting` that want a slot, and what they do then.
    std::deque<std::pair<Lease, std::function<void()>>> returning;
    Settlement ended;
    bool may_have_work = true;
    bool nearly_empty = false;  // jobs are hard to find, or there are none
    std::size_t exchanges = 0;  // in progress
    std::size_t claiming = 0;   // jobs that they may bring
    bool renewing = false;
    bool paused = false;
    bool stopping = false;
    bool giving_up = false;
    base::Timer look_again;
    base::Timer next_renewal;
  };
  struct Step {
    std::vector<HeldJob> jobs;
    bool exchange = false;
    Settlement settlement;
    std::optional<Claim> claim;
    std::vector<std::function<void()>> returning{};
  };

  // Does everything that is possible now.
  void go_on();
  void take_jobs(State& state, Step& step) const;
  void take_exchange(State& state, Step& step) const;
  [[nodiscard]] std::size_t room(const State& state) const;
  [[nodiscard]] Claim claim(std::size_t limit) const;
  [[nodiscard]] static bool holds(const State& state, const HeldJob& job);
  [[nodiscard]] static bool drained(const State& state);

  void exchange(Step step);
  void exchanged(const Settlement& settlement, std::size_t wanted, base::TimePoint began,
                 base::Result<Exchanged> result);
  void keep(State& state, std::vector<Job> jobs, base::TimePoint began) const;
  void try_again(State& state, const Settlement& settlement);
  void resume();

  void post(const HeldJob& job);
  static void give_back(State& state, const HeldJob& job);
  // An attempt is no longer with the handler.
  static void leave(State& state, const Lease& lease);
  void run(const HeldJob& job);

  void renewed(const std::vector<Lease>& leases, base::TimePoint began,
               base::Result<std::vector<Lost>> result);
  std::vector<HeldJob> lose(State& state, const std::vector<Lost>& lost) const;
  std::vector<HeldJob> lose_outdated(State& state) const;
  [[nodiscard]] base::Timer after(std::chrono::microseconds delay, void (WorkerState::*what)());

  // Constant after construction.
  JobStore& store_;
  base::Executor& executor_;
  base::TimerQueue& timers_;
  base::Clock& clock_;
  const AsyncWorker::Handler handler_;
  const AsyncWorker::Options options_;
  // Guarded.
  base::Monitor<State> state_;
};

}  // namespace clever::worker::internal
