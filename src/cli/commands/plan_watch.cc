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

base::Result<void> follow(PlanFollower& follower, bool to_the_end, Context& context) {
  Shown shown(context);
  const auto tell = [&](const plan::State& state, const std::vector<model::StoredEvent>& events) {
    return shown.tell(state, events);
  };
  const base::StopToken stop = context.stop();
  CLEVER_TRY(follower.advance(tell, stop));
  while (!is_over(follower.state(), to_the_end)) {
    CLEVER_TRY(follower.wait(stop));
    CLEVER_TRY(follower.advance(tell, stop));
  }
  return {};
}

base::Result<Report> watch(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(MeantPlan plan, meant_plan(invocation, context));
  CLEVER_ASSIGN(Report report, watch_plan(std::move(plan), invocation.flag("follow"), context));
  // Watching went well, however the plan fares.
  report.exit_code = ExitCode::kOk;
  report.status = Status::kOk;
  return report;
}

}  // namespace

base::Result<Report> watch_plan(MeantPlan plan, bool to_the_end, Context& context) {
  PlanFollower follower(plan.database.engine(), context.clock(), plan.summary.id);
  const auto followed = follow(follower, to_the_end, context);
  // Whoever has seen enough gets to know how it stands.
  if (!followed.ok() && followed.error().code() != base::ErrorCode::kCancelled) {
    return followed.error();
  }
  plan.state = follower.state();
  return plan_report(std::move(plan), context);
}

Command plan_watch_command() {
  return {.name = "watch",
          .summary = "Follow a plan and its subplans as they work",
          .description =
              "Shows everything that happened so far and then what happens, whatever process "
              "drives the plan, until it is at rest: ready to apply, waiting, errored or over; "
              "then how it stands. Ctrl-C ends the watching, not the plan.\n\n"
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
