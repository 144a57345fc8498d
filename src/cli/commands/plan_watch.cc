#include "cli/commands/commands.h"
#include "cli/commands/plan.h"
#include "cli/commands/plan_follow.h"
#include "cli/json.h"
#include "cli/live/live_progress.h"

namespace clever::cli {
namespace {

// One event, one line.
std::string line_of(const model::StoredEvent& event) {
  return to_json(Document::map()
                     .set("plan_id", event.plan.to_string())
                     .set("sequence", event.sequence)
                     .set("time", shown_time(event.time))
                     .set("kind", event.kind)
                     .set("data", document_of_json(event.data))) +
         "\n";
}

/// Where what happens is shown: a block at a terminal, lines in a pipe, JSON for programs.
class Shown {
 public:
  explicit Shown(Context& context) : screen_(context.screen()) {
    Screen lines = screen_;
    if (!screen_.output_is_terminal) {
      // Who reads the output of `watch` wants the lines there.
      lines.error_is_terminal = false;
      lines.error_output = screen_.output;
    }
    progress_.emplace(std::move(lines), context.clock(),
                      LiveOptions{.dumb = context.environment().value("TERM") == "dumb"});
  }

  base::Result<void> tell(const plan::State& state, const std::vector<model::StoredEvent>& events) {
    if (screen_.format != Format::kJsonl) {
      progress_->on_events(state, events);
      return {};
    }
    std::string text;
    for (const model::StoredEvent& event : events) text += line_of(event);
    return screen_.output(text);
  }

 private:
  const Screen screen_;
  std::optional<LiveProgress> progress_;
};

bool is_over(const plan::State& state, bool follow) {
  return follow ? state.is_final() : state.is_at_rest();
}

// A process that was just started may take a moment to take its plan.
constexpr std::chrono::seconds kGrace{10};
constexpr std::chrono::seconds kLookAgainAfter{1};

/// Notices that a plan which should go on is driven by nobody.
class Abandonment {
 public:
  Abandonment(const PlanDriving& driving, Context& context)
      : driving_(driving), context_(context), since_(context.clock().now()) {}

  /// Nobody drives it, and nothing has happened for a while.
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

// False: nobody drives it.
base::Result<bool> follow(PlanFollower& follower, Abandonment abandonment, bool to_the_end,
                          Context& context) {
  Shown shown(context);
  const auto tell = [&](const plan::State& state, const std::vector<model::StoredEvent>& events) {
    return shown.tell(state, events);
  };
  const base::StopToken stop = context.stop();
  CLEVER_TRY(follower.advance(tell, stop));
  while (!is_over(follower.state(), to_the_end)) {
    CLEVER_ASSIGN(const bool abandoned, abandonment.is_certain(follower));
    if (abandoned) return false;
    const auto woken = follower.wait(stop, base::Deadline::after(context.clock(), kLookAgainAfter));
    if (!woken.ok() && woken.error().code() != base::ErrorCode::kDeadlineExceeded) {
      return woken.error();
    }
    CLEVER_TRY(follower.advance(tell, stop));
  }
  return true;
}

struct Watched {
  Report report{};
  bool is_driven = true;
};

void tell_abandoned(const plan::State& plan, Report& report) {
  report.exit_code = ExitCode::kNeedsPerson;
  report.status = Status::kError;
  const std::string id = plan.id.to_string();
  report.messages.push_back({Message::Level::kError, "nobody drives plan " + id + ": it stands " +
                                                         "still in " + place_of(plan)});
  report.messages.push_back(
      {Message::Level::kHint, "`agents plan resume " + id + "` goes on where it was"});
}

base::Result<Watched> watched(MeantPlan plan, bool to_the_end, Context& context) {
  CLEVER_ASSIGN(const PlanDriving driving, PlanDriving::open(plan.database, context));
  PlanFollower follower(plan.database.engine(), context.clock(), plan.summary.id);
  const auto followed = follow(follower, Abandonment(driving, context), to_the_end, context);
  // Whoever has seen enough gets to know how it stands.
  if (!followed.ok() && followed.error().code() != base::ErrorCode::kCancelled) {
    return followed.error();
  }
  plan.state = follower.state();
  const plan::State state = plan.state;
  Watched all;
  all.is_driven = !followed.ok() || *followed;
  CLEVER_ASSIGN(all.report, plan_report(std::move(plan), context, !all.is_driven));
  if (!all.is_driven) tell_abandoned(state, all.report);
  return all;
}

base::Result<Report> watch(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(MeantPlan plan, meant_plan(invocation, context));
  CLEVER_ASSIGN(Watched all, watched(std::move(plan), invocation.flag("follow"), context));
  if (!all.is_driven) return std::move(all.report);
  // Watching went well, however the plan fares.
  all.report.exit_code = ExitCode::kOk;
  all.report.status = Status::kOk;
  return std::move(all.report);
}

}  // namespace

base::Result<Report> watch_plan(MeantPlan plan, bool to_the_end, Context& context) {
  CLEVER_ASSIGN(Watched all, watched(std::move(plan), to_the_end, context));
  return std::move(all.report);
}

Command plan_watch_command() {
  return {.name = "watch",
          .summary = "Follow a plan and its subplans as they work",
          .description =
              "Shows everything that happened so far and then what happens, whatever process "
              "drives the plan, until it is at rest: ready to apply, waiting, errored or over; "
              "then how it stands. Ctrl-C ends the watching, not the plan. If nobody drives a "
              "plan that should go on, it says so: the exit code is 5, and `agents plan resume` "
              "goes on with it.\n\n"
              "With --format jsonl every event is a line of JSON, and so is the answer at the "
              "end.",
          .positionals = {plan_positional()},
          .options = {{.name = "follow",
                       .letter = 'f',
                       .summary = "Go on until it is applied or cancelled"},
                      plan_database_option()},
          .examples = {{"agents plan watch", "The newest plan of this folder"},
                       {"agents plan watch 01JD --format jsonl", "Every event, for a program"}},
          .handler = watch};
}

Command watch_command() {
  Command command = plan_watch_command();
  command.description = "Short for `agents plan watch`.";
  command.examples = {{"agents watch", "The newest plan of this folder"},
                      {"agents watch --follow", "Until it is applied or cancelled"}};
  return command;
}

}  // namespace clever::cli
