#include "config/internal/keys.h"

namespace clever::config::internal {
namespace {

TableInfo validation() {
  using enum Type;
  return {.name = "validation",
          .description = "A check of a plan's work that runs before apply",
          .keys = {{.name = "name", .description = "Its name, unique in the file"},
                   {.name = "command",
                    .type = kCommand,
                    .description = "The command, run in a copy of the work; exit code 0 passes"},
                   {.name = "tool", .description = "A tool to call instead of a command"},
                   {.name = "arguments", .type = kObject, .description = "The tool's arguments"},
                   {.name = "required",
                    .type = kBoolean,
                    .default_value = "true",
                    .description = "false: agents reports a failure, but applies anyway"},
                   {.name = "timeout",
                    .type = kDuration,
                    .default_value = "10m",
                    .description = "Its time limit; after that it counts as failed"}},
          .needed = {"name"},
          .either = {"command", "tool"}};
}

TableInfo hook() {
  using enum Type;
  return {.name = "hook",
          .description = "A command that runs on an event of a plan or its tools",
          .keys = {{.name = "name", .description = "Its name, unique in the file"},
                   {.name = "event",
                    .type = kChoice,
                    .allowed = {"tool.before", "tool.after", "plan.complete", "plan.waiting",
                                "plan.errored", "plan.applied", "apply.before"},
                    .description = "The events that run it"},
                   {.name = "match",
                    .type = kRule,
                    .description = "For tool events: the calls, such as run_command(git push *)"},
                   {.name = "command",
                    .type = kCommand,
                    .description = "The command; it gets the event as JSON on standard input"},
                   {.name = "timeout",
                    .type = kDuration,
                    .default_value = "30s",
                    .description = "Its time limit"}},
          .needed = {"event", "command"}};
}

TableInfo notify() {
  using enum Type;
  return {.name = "notify",
          .description = "Where notices of plans go; those in a project's file do not count",
          .keys = {{.name = "name", .description = "Its name, unique in the file"},
                   {.name = "url", .description = "The address that gets a POST"},
                   {.name = "command",
                    .type = kCommand,
                    .description = "A command; it gets the notice as JSON on standard input"},
                   {.name = "events",
                    .type = kList,
                    .default_value = "plan.waiting,plan.complete,plan.errored,plan.applied",
                    .description = "The events that it hears of"},
                   {.name = "secret_env",
                    .type = kVariable,
                    .description = "The variable with the key that signs what goes to the address"},
                   {.name = "allow_private",
                    .type = kBoolean,
                    .default_value = "false",
                    .description = "true: the address may be of this machine or of its network"},
                   {.name = "timeout",
                    .type = kDuration,
                    .default_value = "10s",
                    .description = "The time limit of an attempt"}},
          .needed = {"name"},
          .either = {"url", "command"}};
}

TableInfo invariant() {
  using enum Type;
  return {.name = "invariant",
          .description = "A sentence that must hold while plans work",
          .keys = {{.name = "name",
                    .description = "Its name; of two with the same name the more specific "
                                   "counts"},
                   {.name = "text", .description = "The sentence"},
                   {.name = "non_overridable",
                    .type = kBoolean,
                    .default_value = "false",
                    .description = "true: a more specific one does not replace it"}},
          .needed = {"name", "text"}};
}

}  // namespace

TableSchema all_tables() { return {validation(), hook(), notify(), invariant()}; }

}  // namespace clever::config::internal
