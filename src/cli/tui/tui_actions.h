#pragma once
// Private to the module.
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/monitor.h"
#include "base/thread.h"
#include "cli/tui/tui_model.h"
#include "cli/words.h"
#include "git/project.h"
#include "service/plan/workplace.h"

namespace clever::cli {

/// Does what a person asked for in the full-screen view: sends commands to plans, and while the
/// view exists drives those that no other process drives.
///
/// Its own thread works. order() is thread-safe; further wishes than kMost are refused. Database
/// and context outlive it; the settings must have been read.
class TuiActions {
 public:
  static constexpr std::size_t kMost = 64;

  /// `here`: the project of new plans.
  TuiActions(const service::PlanDatabase& database, service::WorkplaceOptions answers,
             std::optional<git::Project> here, Context& context,
             std::function<void(TuiEvent)> tell);

  void order(TuiWish wish);
  /// Lets go of all plans. Returns those that got a command here and do not rest yet, for another
  /// process to continue.
  [[nodiscard]] std::vector<model::PlanId> close();

 private:
  void run(const base::StopToken& stop);
  base::Result<std::string> fulfil(const TuiWish& wish, const base::StopToken& stop);
  base::Result<std::string> begin(const std::string& task, const base::StopToken& stop);
  base::Result<void> complete(const TuiWish& wish, const base::StopToken& stop);
  base::Result<service::Workplace*> workplace_for(const std::string& project,
                                                  const base::StopToken& stop);

  // Constant after construction.
  const service::PlanDatabase& database_;
  const service::WorkplaceOptions answers_;
  const std::optional<git::Project> here_;
  Context& context_;
  const std::function<void(TuiEvent)> tell_;
  // Shared.
  base::Monitor<std::deque<TuiWish>> wishes_;
  // Of the thread.
  std::set<model::PlanId> commanded_;
  std::unique_ptr<service::Workplace> workplace_;
  std::unique_ptr<base::Thread> thread_;
};

}  // namespace clever::cli
