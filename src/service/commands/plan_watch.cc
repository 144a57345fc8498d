#include "git/project.h"
#include "service/commands/commands.h"
#include "service/commands/plan.h"
#include "service/commands/plan_act.h"
#include "service/commands/plan_answering.h"
#include "service/commands/plan_follow.h"
#include "service/commands/run_plans.h"
#include "service/commands/run_request.h"
#include "service/plan/event_document.h"

namespace clever::service {
namespace {

/// Shows events as a block at a terminal, as lines in a pipe, or as JSON for programs.
class WatchDisplay {
 public:
  explicit WatchDisplay(Context& context, std::size_t plans = 1) : screen_(context.screen()) {
    LiveOptions options = live_options(plans, context);
    // A program that reads the output of `watch` expects the lines there.
    options.on_output = true;
    progress_ = screen_.live_display(options);
  }

  base::Result<void> tell(const plan::State& state, const std::vector<model::StoredEvent>& events) {
    if (screen_.format != Format::kJsonl) {
      progress_->on_events(state, events);
      return {};
    }
    std::string text;
    for (const model::StoredEvent& event : events) text += event_line(event);
    return screen_.output(text);
  }

  [[nodiscard]] LiveDisplay& progress() { return *progress_; }

 private:
  const Screen screen_;
  std::unique_ptr<LiveDisplay> progress_;
};

bool is_over(const plan::State& state, bool follow) {
  return follow ? state.is_final() : state.is_at_rest();
}

// A process that has just started may need a moment to take its plan.
constexpr std::chrono::seconds kGrace{10};
constexpr std::chrono::seconds kLookAgainAfter{1};

/// Notices that no process drives a plan with work left.
class Abandonment {
 public:
  Abandonment(const PlanDriving& driving, Context& context)
      : driving_(driving), context_(context), since_(context.clock().now()) {}

  /// Returns true if no process drives it and nothing has happened for a while.
  base::Result<bool> is_certain(const PlanFollower& follower) {
    const base::TimePoint now = context_.clock().now();
    CLEVER_ASSIGN(const bool driven, driving_.is_driven(follower.state(), context_.stop()));
    if (driven || follower.state().is_at_rest()) since_ = now;
    if (driven || follower.state().is_at_rest()) return false;
    const auto quiet = context_.clock().wall_now() - follower.last_event();
    return now - since_ >= kGrace || quiet >= kGrace;
  }

 private:
  const PlanDriving& driving_;
  Context& context_;
  base::TimePoint since_;
};

// Returns false if no process drives it.
base::Result<bool> follow(PlanFollower& follower, Abandonment abandonment,
                          const WatchOptions& options, const PlanDatabase& database,
                          Context& context) {
  WatchDisplay shown(context);
  PlanAnswering answering(database, options.answers, shown.progress(), context);
  const auto tell = [&](const plan::State& state, const std::vector<model::StoredEvent>& events) {
    return shown.tell(state, events);
  };
  const base::StopToken stop = context.stop();
  CLEVER_TRY(follower.advance(tell, stop));
  while (true) {
    CLEVER_ASSIGN(const bool answered, answering.answer(follower, tell));
    if (answered) continue;
    if (is_over(follower.state(), options.to_the_end)) return true;
    CLEVER_ASSIGN(const bool abandoned, abandonment.is_certain(follower));
    if (abandoned) return false;
    const auto woken = follower.wait(stop, base::Deadline::after(context.clock(), kLookAgainAfter));
    if (!woken.ok() && woken.error().code() != base::ErrorCode::kDeadlineExceeded) {
      return woken.error();
    }
    CLEVER_TRY(follower.advance(tell, stop));
  }
}

struct Watched {
  Report report{};
  bool is_driven = true;
};

void tell_abandoned(const plan::State& plan, Report& report) {
  report.exit_code = ExitCode::kNeedsPerson;
  report.status = Status::kError;
  const std::string id = plan.id.to_string();
  report.messages.push_back({Message::Level::kError,
                             "no process drives plan " + id + ": it stopped in " + place_of(plan)});
  report.messages.push_back(
      {Message::Level::kHint, "`agents plan resume " + id + "` continues it"});
}

// This process may have driven the plan after an answer, and has stopped.
base::Result<bool> is_left_alone(const PlanDriving& driving, const plan::State& plan) {
  if (plan.is_at_rest()) return false;
  CLEVER_ASSIGN(const bool driven, driving.is_driven(plan));
  return !driven;
}

base::Result<Watched> watched(MeantPlan plan, const WatchOptions& options, Context& context) {
  CLEVER_TRY(check_files_are_here(plan, context));
  CLEVER_ASSIGN(const PlanDriving driving, PlanDriving::open(plan.database, context));
  PlanFollower follower(plan.database.engine(), context.clock(), plan.summary.id);
  const auto followed =
      follow(follower, Abandonment(driving, context), options, plan.database, context);
  // Ctrl-C ends the watching and shows the status.
  if (!followed.ok() && followed.error().code() != base::ErrorCode::kCancelled) {
    return followed.error();
  }
  plan.state = follower.state();
  const plan::State state = plan.state;
  Watched all;
  CLEVER_ASSIGN(const bool left, is_left_alone(driving, state));
  all.is_driven = followed.ok() ? *followed : !left;
  CLEVER_ASSIGN(all.report, plan_report(std::move(plan), context, !all.is_driven));
  if (!all.is_driven) tell_abandoned(state, all.report);
  return all;
}

/// Follows the plans of a folder: the newest, and every one that comes after it.
class FolderFollower {
 public:
  FolderFollower(const PlanDatabase& database, std::string project, WorkplaceOptions answers,
                 Context& context)
      : database_(database),
        project_(std::move(project)),
        context_(context),
        shown_(context, kSeveral),
        answering_(database, std::move(answers), shown_.progress(), context),
        new_plans_(
            database.engine().subscribe(std::string(storage::kPlansTopic), [this] { note(); })) {}

  /// Runs until a stop request: `cancelled`.
  base::Result<void> run() {
    const base::StopToken stop = context_.stop();
    const auto tell = [this](const plan::State& state,
                             const std::vector<model::StoredEvent>& events) {
      return shown_.tell(state, events);
    };
    while (true) {
      const std::uint64_t seen = changes_.read([](const std::uint64_t& now) { return now; });
      CLEVER_TRY(find_new(stop));
      bool answered = false;
      for (const auto& follower : followers_) {
        CLEVER_TRY(follower->advance(tell, stop));
        CLEVER_ASSIGN(const bool said, answering_.answer(*follower, tell));
        answered = answered || said;
      }
      if (answered) continue;
      CLEVER_TRY(changes_.wait(stop, base::Deadline::never(),
                               [seen](const std::uint64_t& now) { return now != seen; }));
    }
  }

 private:
  // More than one plan: each line says whose it is.
  static constexpr std::size_t kSeveral = 2;
  static constexpr std::size_t kNewest = 200;

  void note() {
    changes_.update([](std::uint64_t& changes) { ++changes; });
  }

  // Adds new plans in the order of their creation.
  base::Result<void> find_new(const base::StopToken& stop) {
    storage::Plans plans(database_.engine());
    CLEVER_ASSIGN(auto page, plans.list(plans_of(project_, context_), kNewest, {}, stop));
    std::erase_if(page, [this](const storage::PlanSummary& plan) {
      return plan.parent || plan.id <= newest_;
    });
    // Of the plans that existed before, follows only the newest.
    if (followers_.empty() && page.size() > 1) page.resize(1);
    for (auto plan = page.rbegin(); plan != page.rend(); ++plan) {
      newest_ = plan->id;
      followers_.push_back(std::make_unique<PlanFollower>(database_.engine(), context_.clock(),
                                                          plan->id, [this] { note(); }));
    }
    return {};
  }

  const PlanDatabase& database_;
  const std::string project_;
  Context& context_;
  WatchDisplay shown_;
  PlanAnswering answering_;
  model::PlanId newest_{};
  base::Monitor<std::uint64_t> changes_;
  // Their callbacks call note().
  std::vector<std::unique_ptr<PlanFollower>> followers_;
  std::unique_ptr<storage::Subscription> new_plans_;
};

base::Result<Report> watch_folder(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const git::Project project, context.project());
  CLEVER_ASSIGN(const PlanDatabase database, PlanDatabase::open(invocation, context));
  const auto followed =
      FolderFollower(database, project.root.string(), answers_of(invocation, context), context)
          .run();
  // Ctrl-C ended the watching.
  if (!followed.ok() && followed.error().code() != base::ErrorCode::kCancelled) {
    return followed.error();
  }
  return Report();
}

base::Result<Report> watch(const Invocation& invocation, Context& context) {
  CLEVER_TRY(check_answers(invocation));
  if (invocation.flag("follow") && invocation.words().empty()) {
    return watch_folder(invocation, context);
  }
  CLEVER_ASSIGN(MeantPlan plan, meant_plan(invocation, context));
  const WatchOptions options{.to_the_end = invocation.flag("follow"),
                             .answers = answers_of(invocation, context)};
  CLEVER_ASSIGN(Watched all, watched(std::move(plan), options, context));
  if (!all.is_driven) return std::move(all.report);
  // Watching succeeded, whatever the plan's status.
  all.report.exit_code = ExitCode::kOk;
  all.report.status = Status::kOk;
  return std::move(all.report);
}

}  // namespace

base::Result<Report> watch_plan(MeantPlan plan, const WatchOptions& options, Context& context) {
  CLEVER_ASSIGN(Watched all, watched(std::move(plan), options, context));
  if (all.is_driven && !options.driver.empty()) {
    all.report.messages.push_back({Message::Level::kNote, options.driver});
  }
  return std::move(all.report);
}

Command plan_watch_command() {
  std::vector<Option> options = {
      {.name = "follow",
       .letter = 'f',
       .summary = "Watch until PLAN is applied or cancelled; without PLAN, watch every new plan of "
                  "this folder too, until Ctrl-C"}};
  for (const Option& option : answer_options()) options.push_back(option);
  options.push_back(plan_database_option());
  return {
      .name = "watch",
      .summary = "Follow a plan and its subplans",
      .description =
          "Shows all past events, then new ones as they happen, whichever process drives the plan. "
          "Stops once the plan rests (ready to apply, waiting, errored or ended) and shows its "
          "status. Ctrl-C stops the watching, not the plan. If no process drives a plan that has "
          "work left, it says so and exits with 5; `agents plan resume` continues the plan.\n\nAt "
          "a terminal it asks for the approvals that the plan waits for: y, n, or d for details. "
          "If no process drives the plan, this command does so after your answer. In a pipe it "
          "prints the command to type instead.\n\nWith --format jsonl it prints one JSON line for "
          "each event, and one for the final answer.",
      .positionals = {plan_positional()},
      .options = std::move(options),
      .examples = {{"agents plan watch", "The newest plan of this folder"},
                   {"agents plan watch --follow", "This plan and every new one"},
                   {"agents plan watch 01JD --format jsonl", "Every event, for a program"}},
      .handler = watch};
}

Command watch_command() {
  Command command = plan_watch_command();
  command.description = "Short for `agents plan watch`.";
  command.examples = {{"agents watch", "The newest plan of this folder"},
                      {"agents watch --follow", "And every new plan"}};
  return command;
}

}  // namespace clever::service
