#include "cli/commands.h"

#include "cli/commands/commands.h"
#include "cli/format.h"

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
       .summary = "When rich and table output is coloured",
       .choices = {"auto", "always", "never"}},
      {.name = "directory",
       .letter = 'C',
       .value = "DIR",
       .summary = "Work as if started in DIR",
       .completes = Completes::kDirectory},
      {.name = "quiet", .letter = 'q', .summary = "Say nothing beside the answer and errors"},
      {.name = "help", .letter = 'h', .summary = "Show help for a command"},
      {.name = "version", .summary = "Show the version"},
      {.name = "continue",
       .summary = "Without a command: go on with the last conversation of this folder",
       .alone = true},
  };
}

}  // namespace

Command command_tree() {
  return {
      .name = "agents",
      .summary = "Plan, execute, review and apply AI-agent work on real repositories",
      .description =
          "CleverAgents plans, executes, reviews and applies AI-agent work on real "
          "repositories. Nothing is lost, repeated or half applied.",
      .options = global_options(),
      .examples = {{"agents demo", "See what is set up"},
                   {"agents diagnostics", "Find out what is missing on this machine"},
                   {"agents provider test", "See whether the models can be reached"},
                   {"agents config set model.default anthropic/claude-sonnet-5",
                    "Choose the model"},
                   {"agents config list --format json", "All settings, for a program"}},
      .subcommands = {run_command(),         init_command(),       demo_command(),
                      plan_command(),        status_command(),     diff_command(),
                      apply_command(),       undo_command(),       resume_command(),
                      watch_command(),       tui_command(),        session_command(),
                      context_command(),     config_command(),     db_command(),
                      provider_command(),    budget_command(),     action_command(),
                      actor_command(),       tool_command(),       skill_command(),
                      project_command(),     validation_command(), invariant_command(),
                      trust_command(),       sandbox_command(),    cleanup_command(),
                      diagnostics_command(), completion_command(), help_command(),
                      version_command(),     manual_command(),     complete_command()},
  };
}

}  // namespace clever::cli
