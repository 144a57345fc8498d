#include "cli/commands/commands.h"
#include "cli/tui/tui_run.h"
#include "cli/words.h"
#include "git/project.h"
#include "service/commands/plan_act.h"
#include "service/commands/run_plans.h"
#include "service/commands/run_request.h"

namespace clever::cli {
namespace {

base::Error view_needs_terminal() {
  return base::invalid_argument(
      "the full-screen view needs a terminal, and there is none: `agents plan list` and `agents "
      "plan watch` print the same as lines");
}

base::Error plans_of_others() {
  return base::permission_denied(
      "--all-projects shows plans of every namespace, and your token is bound to some: leave it "
      "out, or use `agents plan list --all-projects`");
}

base::Result<Report> tui(const Invocation& invocation, Context& context) {
  const Screen screen = context.screen();
  if (!screen.open_terminal) return view_needs_terminal();
  CLEVER_TRY(service::check_answers(invocation));
  const auto& settings = context.settings();
  if (!settings.ok()) return settings.error();
  TuiOptions options{.answers = service::answers_of(invocation, context),
                     .notify = service::notify_from_string(settings->text("output.notify")),
                     .theme = screen.output_look.color ? screen.output_look.theme : Theme::kNone,
                     .unicode = screen.output_look.unicode};
  // Read now: the thread that acts reads it too.
  const auto& project = context.project();
  if (project.ok()) options.here = *project;
  if (invocation.flag("all-projects")) {
    if (!context.sees_all()) return plans_of_others();
  } else {
    if (!project.ok()) return project.error();
    options.project = project->root.string();
  }
  CLEVER_ASSIGN(const auto terminal, screen.open_terminal(io::OwnedTerminal::Mode::kScreen));
  static_cast<void>(context.insistence());
  CLEVER_ASSIGN(const service::PlanDatabase database,
                service::PlanDatabase::open(invocation, context));
  CLEVER_TRY(run_tui(database, *terminal, options, context));
  return Report();
}

}  // namespace

Command tui_command() {
  std::vector<Option> options = {
      {.name = "all-projects", .summary = "Include plans of other folders"}};
  for (const Option& option : service::answer_options()) options.push_back(option);
  options.push_back(service::plan_database_option());
  return {
      .name = "tui",
      .summary = "Watch and control all plans in a full-screen view",
      .description =
          "Shows the plans of this folder as they work, whichever process drives them: a plan's "
          "tree, what it does, what it changed, and what it asks. The bottom line shows the main "
          "keys, ? lists all of them. Quitting stops no plan.\n\nNeeds at least 30 columns and 6 "
          "rows. Restores the terminal when it ends, even if the program is killed.",
      .options = std::move(options),
      .examples = {{"agents tui", "The plans of this folder"},
                   {"agents tui --all-projects", "All plans"}},
      .handler = tui};
}

}  // namespace clever::cli
