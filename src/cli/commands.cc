#include "cli/commands.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "cli/commands/commands.h"
#include "cli/live/live_progress.h"
#include "cli/words.h"
#include "server/server_command.h"
#include "service/commands/commands.h"
#include "service/format.h"

namespace clever::cli {
namespace {

std::vector<Option> global_options() {
  return {
      {.name = "format",
       .value = "FORMAT",
       .summary = "Output format (default rich on a terminal, plain in a pipe)",
       .choices = format_names()},
      {.name = "color",
       .value = "WHEN",
       .summary = "When to colour rich and table output",
       .choices = {"auto", "always", "never"}},
      {.name = "directory",
       .letter = 'C',
       .value = "DIR",
       .summary = "Work as if started in DIR",
       .completes = Completes::kDirectory,
       .once = true},
      {.name = "quiet", .letter = 'q', .summary = "Print only the answer and errors"},
      {.name = "server",
       .value = "URL",
       .summary = "Have this server do it (default $CLEVERAGENTS_SERVER)"},
      {.name = "project",
       .value = "ID",
       .summary = "With a server: the project (default: the one of the directory)"},
      {.name = "help", .letter = 'h', .summary = "Show help for a command"},
      {.name = "version", .summary = "Show the version"},
      {.name = "print",
       .letter = 'p',
       .value = "TASK",
       .summary = "Without a command: do the task, print the answer and exit",
       .alone = true},
      {.name = "continue",
       .summary = "Without a command: continue the last conversation of this folder",
       .alone = true},
  };
}

base::Result<Report> serve(const Invocation& invocation, Context& context) {
  return server::serve(
      invocation, context,
      [](Screen screen, base::Clock& clock,
         const service::LiveOptions& options) -> std::unique_ptr<service::LiveDisplay> {
        return std::make_unique<LiveProgress>(std::move(screen), clock, options);
      });
}

// A review is a dialogue, so it is the one plan command outside the service.
Command plan_with_review() {
  Command plan = service::plan_command();
  const auto apply = std::ranges::find(plan.subcommands, "apply", &Command::name);
  plan.subcommands.insert(apply, plan_review_command());
  return plan;
}

}  // namespace

Command command_tree() {
  return {
      .name = "agents",
      .summary = "Plan, execute, review and apply AI-agent work on real repositories",
      .description =
          "CleverAgents plans, executes, reviews and applies AI-agent work on real repositories. "
          "Nothing is lost, repeated or half applied.",
      .options = global_options(),
      .examples = {{"agents demo", "See what is set up"},
                   {"agents diagnostics", "Find out what is missing on this machine"},
                   {"agents provider test", "See whether the models can be reached"},
                   {"agents config set model.default anthropic/claude-sonnet-5",
                    "Choose the model"},
                   {"agents config list --format json", "All settings, for a program"}},
      .subcommands = {service::run_command(),
                      service::init_command(),
                      service::demo_command(),
                      plan_with_review(),
                      service::status_command(),
                      service::diff_command(),
                      service::apply_command(),
                      service::undo_command(),
                      service::pr_command(),
                      service::resume_command(),
                      service::cancel_command(),
                      service::watch_command(),
                      service::inbox_command(),
                      tui_command(),
                      session_command(),
                      service::context_command(),
                      service::config_command(),
                      service::db_command(),
                      service::provider_command(),
                      service::model_command(),
                      service::budget_command(),
                      service::action_command(),
                      service::actor_command(),
                      service::agent_command(),
                      service::tool_command(),
                      service::skill_command(),
                      service::project_command(),
                      service::validation_command(),
                      service::invariant_command(),
                      service::trust_command(),
                      service::login_command(),
                      service::logout_command(),
                      service::whoami_command(),
                      service::token_command(),
                      service::sandbox_command(),
                      service::cleanup_command(),
                      server::server_command(serve),
                      service::worker_command(),
                      service::queue_command(),
                      service::diagnostics_command(),
                      completion_command(),
                      help_command(),
                      service::version_command(),
                      manual_command(),
                      complete_command()},
  };
}

}  // namespace clever::cli
