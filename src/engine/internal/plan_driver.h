#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "base/atomic.h"
#include "base/guarded.h"
#include "base/stop_token.h"
#include "engine/error_recovery_service.h"
#include "engine/internal/driver_core.h"
#include "engine/plan_execution_context.h"
#include "engine/plan_writer.h"

namespace clever::engine::internal {

/// A plan as it is read when its lease is taken.
struct OpenedPlan {
  storage::Lease lease{};
  storage::Head head{};
  plan::State state{};
};
/// Takes the lease of a plan and folds its journal; `may_be_new`: one without events will do.
/// Blocks. `held`: another living process has it.
struct OpenAnswer {
  base::Result<OpenedPlan> plan;
  bool held = false;
};
[[nodiscard]] OpenAnswer open_plan(PlanStore& store, const model::PlanId& plan, bool may_be_new);

/// Drives one plan.
///
///   new → opening → driving → closing → gone
///                      ↑          │  a caller wants it again
///                      └─ opening ┘
///
/// Owned by DriverCore's table. All but the constructor, post() and view() run on its strand.
class PlanDriver : public std::enable_shared_from_this<PlanDriver> {
 public:
  using Place = DriverCore::Place;
  template <class T>
  using Done = DriverCore::Done<T>;

  PlanDriver(std::shared_ptr<DriverCore> core, const model::PlanId& plan);

  [[nodiscard]] const model::PlanId& plan() const { return plan_; }
  /// Runs f(PlanDriver&) on the strand; if that is closed, never.
  template <class F>
  void post(F&& f) {
    (void)strand_->post(
        [self = shared_from_this(), f = std::forward<F>(f)]() mutable { f(*self); });
  }

  struct View {
    std::shared_ptr<const plan::State> state{};
    bool goes_on = false;
    storage::Lease lease{};
  };
  /// No state: it is not driven now.
  [[nodiscard]] View view() const {
    return view_.with([](const View& view) { return view; });
  }

  struct Request {
    DriverCore::Source source{};
    bool by_parent = false;
    Done<Place> done{};
  };
  void request(Request request);
  void let_go();
  enum class Why : std::uint8_t { kRest, kStop, kLost };
  void close(Why why);
  /// Puts the plan away if it is at rest and no caller waits for it.
  void consider_rest();
  /// The subplan that the effect spawned is not driven: once more, after a while.
  void open_child_later(const model::EffectId& id);

 private:
  enum class Phase : std::uint8_t { kNew, kOpening, kDriving, kClosing, kGone };
  /// An effect that was started, until it has ended and that is written down.
  struct Running {
    plan::EffectKind kind = plan::EffectKind::kBase;
    /// None of timers and subplans, which have no runner.
    std::unique_ptr<base::StopSource> stop{};
    std::unique_ptr<Alarm> alarm{};
    Slot slot{};
    /// Of a subplan: how often in a row the store refused to open it.
    int refusals = 0;
    /// The runner is done with it.
    bool ended = false;
  };
  using RunningMap = std::map<model::EffectId, Running>;

  // plan_driver.cc: lifecycle.
  void begin_opening();
  void on_opened(OpenAnswer answer);
  void take_over();
  void ask_for_command();
  void on_command(base::Result<plan::Create> command);
  void on_begun(const base::Result<Settled>& begun);
  void begin_driving();
  // Nothing was taken: it is over.
  void fail_opening(const base::Result<Place>& answer);
  // The lease is there and must go again.
  void refuse_opening(const base::Error& error);
  void answer_requests(const base::Result<Place>& answer);
  void make_writer(OpenedPlan opened);
  [[nodiscard]] std::shared_ptr<PlanExecutionContext> make_context();
  void on_committed(const std::shared_ptr<const plan::State>& state,
                    const std::vector<model::StoredEvent>& events);
  using Then = std::move_only_function<void(PlanDriver&, const base::Result<Settled>&)>;
  void submit(Submission submission, Then then);
  void stop_everything();
  void try_to_finish();
  // Called after each event that a closing driver waits for.
  void rest_or_finish();
  void on_released(bool wanted);
  void end();
  void publish();
  [[nodiscard]] bool is_driving() const { return phase_ == Phase::kDriving; }
  [[nodiscard]] bool is_cancelling() const;

  // driver_effects.cc
  void reconcile();
  void forget(const model::EffectId& id);
  void start(const model::EffectId& id, const plan::OpenEffect& effect);
  void start_timer(const model::EffectId& id, const std::string& data);
  void on_ended(const model::EffectId& id, plan::Command command);
  void on_written(const model::EffectId& id, const base::Result<void>& written, bool again);
  void record_changes(plan::RecordChanges changes, Changeset::Done done);
  void on_changes_lost(const base::Error& error);
  void record_error(plan::RecordError error, bool again);
  void report(const model::EffectId& id, model::ErrorCategory category, const base::Error& error);
  void stop_effects();
  void charge(plan::AgentCharged used, std::function<void(bool)> answered);
  [[nodiscard]] EffectOrder order_of(const model::EffectId& id, const plan::OpenEffect& effect);

  // driver_children.cc
  void start_child(const model::EffectId& id);
  void open_child(const model::EffectId& id);
  void on_child(const model::EffectId& id, const base::Result<Place>& place);

  // driver_inbox.cc
  struct Received {
    std::int64_t id = 0;
    base::Result<plan::Command> command;
  };
  void watch_inbox();
  void look_into_inbox();
  // Before the takeover: reads what people said to the plan since it was last driven. False: the
  // store has no time for it.
  bool hear_words();
  void on_words(const base::Result<std::vector<Received>>& received);
  void look_later();
  [[nodiscard]] base::Result<std::vector<Received>> receive(PlanStore& store) const;
  void on_inbox(const base::Result<std::vector<Received>>& received);
  void take_command(const Received& received);

  // driver_budget.cc
  struct BudgetWatch {
    model::BudgetReserved wanted{};
    std::string scope{};
    std::unique_ptr<Alarm> alarm{};
    std::unique_ptr<storage::Subscription> subscription{};
  };
  void wait_for_money(const model::BudgetReserved& wanted, const storage::Budgets::Room& room);
  void look_for_money();
  void look_for_money_later();
  void try_with_money();
  void on_room(const base::Result<storage::Budgets::Room>& room);

  /// Runs `ask` where it may wait, then `then` on the strand with its answer.
  template <class Ask, class Then>
  bool in_store(Ask ask, Then then) {
    ++asking_;
    const bool accepted = core_->in_store(
        [self = shared_from_this(), ask = std::move(ask), then = std::move(then)]() mutable {
          self->post([answer = ask(self->core_->store()),
                      then = std::move(then)](PlanDriver& driver) mutable {
            --driver.asking_;
            then(driver, std::move(answer));
          });
        });
    if (!accepted) --asking_;
    return accepted;
  }

  // Constant after construction.
  const std::shared_ptr<DriverCore> core_;
  const model::PlanId plan_;
  const std::shared_ptr<base::Executor> strand_;
  // Guarded.
  base::Guarded<View> view_;
  // Whether a look into the inbox is to come; publishes nothing else.
  base::Atomic<bool> inbox_woken_{false};
  // The same of the budget that it waits for; publishes nothing else.
  base::Atomic<bool> budget_woken_{false};
  // Strand-owned.
  Phase phase_ = Phase::kNew;
  std::vector<Request> requests_;
  DriverCore::Source source_;
  bool held_ = false;
  storage::Lease lease_;
  std::unique_ptr<PlanWriter> writer_;
  // On the writer.
  std::unique_ptr<ErrorRecoveryService> recovery_;
  std::shared_ptr<PlanExecutionContext> context_;
  RunningMap running_;
  std::unique_ptr<storage::Subscription> inbox_;
  // Of the inbox: those taken under this lease, and how many of them are being decided.
  std::set<std::int64_t> taken_;
  std::size_t deciding_ = 0;
  bool more_ = false;
  // A look into it is with the store; it was woken meanwhile.
  bool looking_ = false;
  bool look_again_ = false;
  std::optional<BudgetWatch> money_;
  // A look for it is with the store; it was woken meanwhile.
  bool asking_for_room_ = false;
  bool ask_for_room_again_ = false;
  std::unique_ptr<Alarm> alarm_;
  std::size_t asking_ = 0;
  Why why_ = Why::kRest;
  // The driver was released while it was opening the plan.
  bool unwanted_ = false;
  bool releasing_ = false;
};

}  // namespace clever::engine::internal
