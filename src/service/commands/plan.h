#pragma once
// What the commands on plans share. Private to the module.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "base/result.h"
#include "base/ulid.h"
#include "diff/tree_diff.h"
#include "model/event.h"
#include "plan/state.h"
#include "sandbox/sandbox_manager.h"
#include "service/command.h"
#include "service/context.h"
#include "service/invocation.h"
#include "service/plan/plan_document.h"
#include "service/plan/plan_log.h"
#include "service/plan/workplace.h"
#include "storage/leases.h"

namespace clever::service {

/// The plan that a command line means, as its journal has it now.
struct MeantPlan {
  PlanDatabase database;
  storage::PlanSummary summary;
  plan::State state;
};
/// By the word at `index`; without one, the newest plan of this folder.
[[nodiscard]] base::Result<MeantPlan> meant_plan(const Invocation& invocation, Context& context,
                                                 std::size_t index = 0);

[[nodiscard]] base::Result<MeantPlan> meant_plan(PlanDatabase database,
                                                 storage::PlanSummary summary);

/// `permission_denied`, which says where they are, if the plan's files are in another home: it can
/// be neither driven nor looked into here.
[[nodiscard]] base::Result<void> check_files_are_here(const MeantPlan& plan, Context& context);

/// All events of a plan from `from` on, in pages.
[[nodiscard]] base::Result<std::vector<model::StoredEvent>> all_events(const PlanDatabase& database,
                                                                       const model::PlanId& plan,
                                                                       Context& context,
                                                                       std::int64_t from = 1);

/// The plan at the top of its tree.
[[nodiscard]] const model::PlanId& root_of(const plan::State& plan);

/// The files of plans, for those who only look. Everything it gives ends with it.
class PlanLook {
 public:
  [[nodiscard]] static base::Result<std::unique_ptr<PlanLook>> open(const PlanDatabase& database,
                                                                    Context& context);
  [[nodiscard]] base::Result<engine::PlanFiles> files(const plan::State& plan) {
    CLEVER_TRY(storage::Leases(database_).check_home(root_of(plan), *owner_));
    return engine::plan_files(*sandboxes_, plan);
  }

 private:
  PlanLook(std::shared_ptr<const storage::OwnerLock> owner, storage::Engine& engine,
           const std::string& address, Context& context);

  storage::Engine& database_;
  base::SystemRandom random_;
  base::UlidGenerator ids_;
  // Those below use those above.
  const std::shared_ptr<const storage::OwnerLock> owner_;
  const std::unique_ptr<sandbox::SandboxRecords> records_;
  std::unique_ptr<sandbox::SandboxManager> sandboxes_;
};

/// What a plan changed, for those who read it.
struct PlanChanges {
  /// One sentence for each sensitive change.
  std::vector<std::string> warnings{};
  std::vector<diff::FileDiff> files{};
};
[[nodiscard]] base::Result<PlanChanges> changes_of(const PlanDatabase& database,
                                                   const plan::State& plan, Context& context,
                                                   const base::StopToken& stop);

/// What it changed; none if it has no base yet, or its files are gone.
[[nodiscard]] std::vector<ChangedFile> files_if_any(const MeantPlan& plan, Context& context);
/// Of the plan and all below it.
[[nodiscard]] base::Result<plan::Usage> usage_of_tree(const MeantPlan& plan);
/// The report on a plan at rest, for prompt, resume and the end of watch. `left`: it is not at
/// rest, and no process drives it.
[[nodiscard]] base::Result<Report> plan_report(MeantPlan plan, Context& context, bool left = false);

/// Finds out whether a process drives a plan. Used by one thread; the database must outlive it.
class PlanDriving {
 public:
  [[nodiscard]] static base::Result<PlanDriving> open(const PlanDatabase& database,
                                                      Context& context);
  /// The owner of the root plan's lease drives it.
  [[nodiscard]] base::Result<bool> is_driven(const plan::State& plan,
                                             const base::StopToken& stop = {}) const;
  /// The same of a root plan.
  [[nodiscard]] base::Result<bool> is_driven(const model::PlanId& root,
                                             const base::StopToken& stop = {}) const;

 private:
  PlanDriving(storage::Engine& engine, std::shared_ptr<const storage::OwnerLock> owner)
      : engine_(&engine), owner_(std::move(owner)) {}
  storage::Engine* engine_;
  std::shared_ptr<const storage::OwnerLock> owner_;
};
/// Returns true if the plan has work left and no process drives it.
[[nodiscard]] base::Result<bool> is_left(const MeantPlan& plan, Context& context);

struct WatchOptions {
  /// Else until it is at rest.
  bool to_the_end = false;
  /// How to drive the plan once a person has answered it, if no other process does.
  WorkplaceOptions answers{};
  /// The driver, shown at the end if it still drives the plan.
  std::string driver{};
};
/// Shows a plan's events, whichever process drives it, asks at a terminal for its approvals, and
/// reports the result. Exit code 5 if no process drives the plan.
[[nodiscard]] base::Result<Report> watch_plan(MeantPlan plan, const WatchOptions& options,
                                              Context& context);

/// The log of a plan and of those below it, by time.
[[nodiscard]] base::Result<std::vector<LogEntry>> log_of_tree(const PlanDatabase& database,
                                                              const model::PlanId& plan,
                                                              Context& context);
/// The same for people; plans below `plan` are named. `full`: nothing is folded.
[[nodiscard]] View view_of_log(const std::vector<LogEntry>& entries, const model::PlanId& plan,
                               bool full);

/// A number of an option, within bounds. `invalid_argument` says which.
[[nodiscard]] base::Result<std::int64_t> number_option(const Invocation& invocation,
                                                       std::string_view option,
                                                       std::int64_t otherwise, std::int64_t least,
                                                       std::int64_t most);

/// JSON as a document; text that is none stays text.
[[nodiscard]] Document document_of_json(std::string_view text);
/// "2026-01-31T09:05:07.120Z"
[[nodiscard]] std::string shown_time(model::Timestamp time);
/// The first line, at most `width` columns of it.
[[nodiscard]] std::string one_line(std::string_view text, std::size_t width);
[[nodiscard]] Tone tone_of_state(std::string_view state) noexcept;

}  // namespace clever::service
