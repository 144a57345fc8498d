#pragma once
// Private to the module.
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/monitor.h"
#include "base/thread.h"
#include "cli/live/progress_model.h"
#include "cli/tui/tui_model.h"
#include "cli/words.h"
#include "service/commands/plan.h"
#include "service/commands/plan_follow.h"

namespace clever::cli {

/// Reads what the full-screen view shows, whichever process drives the plans, and reports every
/// change. Waits for the database's notifications; while plans work it also looks every few seconds
/// whether a process still drives them, since a killed one sends no notification.
///
/// Its own thread reads. look() is thread-safe; the destructor joins. Database and context outlive
/// it. Reports what it cannot read as unreadable.
class TuiSource {
 public:
  /// `project` is the folder whose plans are shown; empty: all. `tell` is called on the thread.
  TuiSource(const service::PlanDatabase& database, std::string project, Context& context,
            std::function<void(TuiEvent)> tell);

  /// From now on reports this plan's details too.
  void look(const model::PlanId& plan, TuiPane pane);

 private:
  struct Wanted {
    std::uint64_t changes = 0;
    model::PlanId plan{};
    TuiPane pane = TuiPane::kTree;
  };
  /// What a row needs beyond its summary, as of a sequence.
  struct Known {
    std::int64_t sequence = 0;
    std::string reason{};
    std::optional<TuiApproval> approval{};
    std::string digest{};
    bool in_conflict = false;
  };

  void run(const base::StopToken& stop);
  base::Result<void> read(const Wanted& wanted, const base::StopToken& stop);
  base::Result<std::vector<service::PlanSummary>> list(const base::StopToken& stop);
  base::Result<TuiPlan> row(const service::PlanSummary& plan);
  base::Result<Known> known(const service::PlanSummary& plan);
  /// What plans below others ask, by the plan at the top; of several the oldest.
  using Asked = std::map<model::PlanId, TuiApproval>;
  base::Result<Asked> asked_below(const std::vector<service::PlanSummary>& plans);
  base::Result<void> follow(const Wanted& wanted, const base::StopToken& stop);
  base::Result<void> tell_detail(const Wanted& wanted, const base::StopToken& stop);
  base::Result<std::vector<TuiText>> diff_of(const plan::State& plan, const base::StopToken& stop);
  base::Result<void> add_words(const plan::State& state, const model::StoredEvent& event,
                               const base::StopToken& stop);
  base::Result<void> add_answer(const model::StoredEvent& event, const base::StopToken& stop);
  void note();

  // Constant after construction.
  const service::PlanDatabase& database_;
  const std::string project_;
  Context& context_;
  const std::function<void(TuiEvent)> tell_;
  // Shared.
  base::Monitor<Wanted> wanted_;
  // Of the thread.
  std::map<model::PlanId, Known> known_;
  std::map<model::PlanId, std::unique_ptr<service::Subscription>> subscriptions_;
  std::unique_ptr<service::Subscription> new_plans_;
  ProgressModel progress_{1, false};
  std::vector<TuiText> stream_;
  std::string diff_tree_;
  std::vector<TuiText> diff_;
  model::PlanId followed_{};
  std::optional<service::PlanDriving> driving_;
  bool any_works_ = false;
  std::unique_ptr<service::PlanFollower> follower_;
  base::Thread thread_;
};

/// The steps of a plan and of those below it, then its decisions. `state_of` gives the plans below
/// it that are known.
[[nodiscard]] std::vector<TuiTreeRow> tui_tree(
    const plan::State& plan,
    const std::function<const plan::State*(const model::PlanId&)>& state_of);

}  // namespace clever::cli
