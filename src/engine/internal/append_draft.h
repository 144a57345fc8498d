#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/plan_store.h"
#include "engine/plan_writer.h"
#include "plan/decide.h"
#include "plan/state.h"

namespace clever::engine::internal {

/// The answer to a refused command of the inbox.
[[nodiscard]] std::string refusal_receipt(const base::Error& refusal, const plan::State& state);

/// What a command may spend, as the budgets have said; a plan::Circumstances has what it means.
struct Allowance {
  bool may_spend = true;
  bool room_may_come = false;
  std::optional<plan::Circumstances::Left> left{};
};

/// The next append of a plan while it is being put together: commands are decided one after another
/// on the state that those before them lead to. Used by one thread.
class AppendDraft {
 public:
  AppendDraft(PlanStore& store, std::shared_ptr<const plan::State> state, const storage::Head& head,
              std::int64_t epoch, const plan::Circumstances& circumstances);

  /// What the command leads to, or why it is refused; one of the inbox is consumed in either case.
  [[nodiscard]] base::Result<Settled> add(const Submission& submission,
                                          const Allowance& allowance = {});

  [[nodiscard]] bool empty() const {
    return append_.events.empty() && append_.consumed.empty() && append_.also.empty();
  }
  [[nodiscard]] storage::Append take_append() { return std::move(append_); }
  [[nodiscard]] std::shared_ptr<const plan::State> take_state() { return std::move(state_); }
  [[nodiscard]] std::vector<model::StoredEvent> take_events() { return std::move(events_); }
  /// The first reservation that is asked for.
  [[nodiscard]] const std::optional<model::BudgetReserved>& reservation() const {
    return reservation_;
  }

 private:
  /// What a rollback goes back to, read from the journal; null for all other commands.
  [[nodiscard]] base::Result<std::shared_ptr<const plan::State>> past_of(
      const plan::Command& command) const;
  /// Of events that follow the present state.
  void put(std::vector<model::Event> events);
  void note_reservation(const model::Event& event);
  [[nodiscard]] base::Error refuse(const Submission& submission, const base::Error& refusal);
  void send(const plan::Outgoing& outgoing);
  void consume(const Submission& submission, const std::string& receipt);

  PlanStore& store_;
  std::shared_ptr<const plan::State> state_;
  plan::Circumstances circumstances_;
  storage::Append append_;
  std::vector<model::StoredEvent> events_;
  std::optional<model::BudgetReserved> reservation_;
};

}  // namespace clever::engine::internal
