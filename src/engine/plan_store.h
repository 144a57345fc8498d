#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "model/budget_events.h"
#include "model/id.h"
#include "storage/append.h"
#include "storage/bodies.h"
#include "storage/budgets.h"
#include "storage/inbox.h"
#include "storage/journal.h"
#include "storage/leases.h"
#include "storage/subscription.h"

namespace clever::engine {

/// What driving plans needs of a database: StoredPlans in the program, a model in the simulator,
/// which loses what was not committed when it crashes. Thread-safe.
class PlanStore {
 public:
  template <class T>
  using Done = std::move_only_function<void(base::Result<T>)>;

  virtual ~PlanStore() = default;

  /// The right to write to a plan, for this process; makes its journal if there is none. `conflict`
  /// names the holder.
  virtual base::Result<storage::Lease> acquire(const model::PlanId& plan) = 0;
  virtual base::Result<void> release(const storage::Lease& lease) = 0;
  /// The statements around the first append of a new plan that another process is to drive.
  struct FirstStatements {
    storage::Lease lease{};
    /// Append::before: make the journal, under a lease of this process, and the caps of the plan.
    std::vector<storage::Statement> before{};
    /// Append::also: give the lease up.
    std::vector<storage::Statement> after{};
  };
  /// Nothing: ensure_cap(), acquire() and release() do all that in transactions of their own.
  [[nodiscard]] virtual base::Result<std::optional<FirstStatements>> first_statements(
      const model::PlanId& /*plan*/, const storage::Caps& /*caps*/) {
    return std::optional<FirstStatements>();
  }
  /// Prolongs all leases of this process; those that are still held.
  virtual base::Result<std::vector<storage::Lease>> renew() = 0;

  /// All events. `not_found`; `conflict` if one is of a kind or version that this program does not
  /// know: then it must not drive the plan.
  virtual base::Result<storage::LoadedPlan> load(const model::PlanId& plan) = 0;
  /// Where the journal ends, and under which epoch. `not_found`.
  virtual base::Result<storage::JournalState> journal(const model::PlanId& plan) {
    CLEVER_ASSIGN(const storage::LoadedPlan loaded, load(plan));
    return loaded.state;
  }
  /// As Journal::submit(): does not wait; `done` once, on any thread, must not block.
  virtual void append(storage::Append append, Done<storage::Head> done) = 0;

  virtual base::Result<std::vector<storage::Command>> pending(const model::PlanId& plan) = 0;
  virtual base::Result<storage::CommandReceipt> send(const model::PlanId& plan, std::string key,
                                                     std::string body) = 0;
  virtual base::Result<storage::CommandReceipt> receipt(const model::PlanId& plan,
                                                        const std::string& key) = 0;
  /// The statements that store a command, for Append::also; the caller adds plan_name() and
  /// inbox_name() of the plan to Append::topics. They refuse nothing: a key that was used before
  /// means the same command, and a plan that does not exist yet finds it in its inbox.
  [[nodiscard]] virtual std::vector<storage::Statement> send_statements(const model::PlanId& plan,
                                                                        std::string key,
                                                                        std::string body) = 0;

  virtual base::Result<std::vector<storage::Body>> bodies(
      std::span<const base::Sha256Digest> hashes) = 0;

  /// Why a reservation was refused, and whether waiting helps.
  virtual base::Result<storage::Budgets::Room> room(const std::vector<std::string>& scopes,
                                                    const model::Cost& cost) = 0;
  virtual base::Result<void> ensure_cap(const std::string& scope, const storage::Caps& caps) = 0;

  /// `wake` after each commit that concerns the plan (journal or inbox), by whatever process; at
  /// times more often. Must not block.
  [[nodiscard]] virtual std::unique_ptr<storage::Subscription> watch(
      const model::PlanId& plan, std::function<void()> wake) = 0;
  /// The same for the inbox alone.
  [[nodiscard]] virtual std::unique_ptr<storage::Subscription> watch_inbox(
      const model::PlanId& plan, std::function<void()> wake) {
    return watch(plan, std::move(wake));
  }
  [[nodiscard]] virtual std::unique_ptr<storage::Subscription> watch_budget(
      const std::string& scope, std::function<void()> wake) = 0;
};

}  // namespace clever::engine
