#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/executor.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "engine/plan_store.h"
#include "engine/scheduler.h"
#include "plan/command.h"
#include "plan/state.h"
#include "storage/unit_of_work.h"

namespace clever::engine {

/// A command to be decided, and where it came from.
struct Submission {
  plan::Command command;
  /// Of the inbox, if it came through it: consumed in the transaction of its events.
  std::int64_t inbox = 0;
  /// Of the inbox, and not to be decided: consumed with this refusal.
  std::optional<base::Error> refusal{};
  /// The same transaction runs them first: PlanStore::first_statements().
  std::vector<storage::Statement> before{};
  /// Committed together with what the command leads to; not if it is refused.
  storage::UnitOfWork with{};
};

/// Adds to what is committed with new events; gets the state after them. Must not block.
using Amend = std::function<void(const plan::State& after, storage::Append& append)>;

/// The outcome of a command; durable.
struct Settled {
  /// Sequence of the last event that answered it.
  std::int64_t sequence = 0;
  std::string receipt{};
};

/// The only writer of one plan under one lease: decides commands in the order of their arrival,
/// each on the state after those before it, appends their events guarded by head and epoch, and
/// only then folds them into the state and answers. Commands that arrive during an append are
/// decided together and share the next one; if that append is refused, each is decided and appended
/// alone, so that a refusal hits one command only.
///
/// Thread-safe, but destroyed only while the executor runs none of its tasks, or by one of them. No
/// thread of its own: it works on the executor it was given, one task at a time. A refusal by
/// decide() is the answer of that command alone (one from the inbox is consumed with CommandRefused
/// and the refusal as its receipt). A refusal of money (`resource_exhausted` where a reservation
/// was asked for and the budgets say no) is decided again with may_spend = false. While the store
/// cannot be reached, or has no room, an append is tried again after a pause, for less than a
/// minute in all. Once an append says that the lease is lost (`conflict`), or fails for good, every
/// answer is `conflict`, and lost() is called once with the store's error.
class PlanWriter {
 public:
  using Done = std::move_only_function<void(base::Result<Settled>)>;
  struct Hooks {
    /// After each commit, in order, on the executor: the state after it and the new events, whose
    /// hashes and positions are not filled in.
    std::function<void(const std::shared_ptr<const plan::State>&,
                       const std::vector<model::StoredEvent>&)>
        committed{};
    std::function<void(const base::Error&)> lost{};
    /// The budgets refused a reservation, on the executor: what was asked for, and what is in the
    /// way.
    std::function<void(const model::BudgetReserved&, const storage::Budgets::Room&)> no_money{};
    /// What a scope that has no cap yet may cost; none given: as much as it takes.
    std::function<storage::Caps(const std::string& scope)> caps{};
    Amend amend{};
  };

  PlanWriter(PlanStore& store, Scheduler& scheduler, std::shared_ptr<base::Executor> executor,
             storage::Lease lease, storage::Head head, plan::State state, Hooks hooks);
  ~PlanWriter();
  PlanWriter(const PlanWriter&) = delete;
  PlanWriter& operator=(const PlanWriter&) = delete;

  /// `done` exactly once, on the executor or, if closed, on the caller.
  void submit(Submission submission, Done done);
  /// The same, waiting; not from the executor's own tasks. A stop or the deadline withdraws it
  /// unless it is being written.
  base::Result<Settled> execute(Submission submission, const base::StopToken& stop = {},
                                base::Deadline deadline = base::Deadline::never());

  /// The process is about to end: a store that fails is given less than a second from now on.
  void hurry();

  /// As of the last commit.
  [[nodiscard]] std::shared_ptr<const plan::State> state() const;
  /// Nothing waits and nothing is on its way.
  [[nodiscard]] bool is_idle() const;
  /// The lease is lost: nothing is written any more.
  [[nodiscard]] bool is_closed() const;

 private:
  class Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace clever::engine
