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

TableSchema all_tables() { return {validation(), hook(), invariant()}; }

}  // namespace clever::config::internal
