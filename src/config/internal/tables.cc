#include "config/internal/keys.h"

namespace clever::config::internal {
namespace {

TableInfo validation() {
  using enum Type;
  return {.name = "validation",
          .description = "A check of a plan's work, run before it is applied",
          .keys = {{.name = "name", .description = "What it is called, once per file"},
                   {.name = "command",
                    .type = kCommand,
                    .description = "What is run in a copy of the work; it passes with exit code 0"},
                   {.name = "tool", .description = "A tool that is called instead of a command"},
                   {.name = "arguments", .type = kObject, .description = "The tool's arguments"},
                   {.name = "required",
                    .type = kBoolean,
                    .default_value = "true",
                    .description = "false: its outcome is reported, but never blocks apply"},
                   {.name = "timeout",
                    .type = kDuration,
                    .default_value = "10m",
                    .description = "How long it may take before it counts as failed"}},
          .needed = {"name"},
          .either = {"command", "tool"}};
}

TableInfo hook() {
  using enum Type;
  return {.name = "hook",
          .description = "A command that is run when something happens to a plan or its tools",
          .keys = {{.name = "name", .description = "What it is called, once per file"},
                   {.name = "event",
                    .type = kChoice,
                    .allowed = {"tool.before", "tool.after", "plan.complete", "plan.waiting",
                                "plan.errored", "plan.applied", "apply.before"},
                    .description = "When it is run"},
                   {.name = "match",
                    .type = kRule,
                    .description = "Of tool events: which calls, such as run_command(git push *)"},
                   {.name = "command",
                    .type = kCommand,
                    .description = "What is run; it finds the event as JSON on its standard input"},
                   {.name = "timeout",
                    .type = kDuration,
                    .default_value = "30s",
                    .description = "How long it may take"}},
          .needed = {"event", "command"}};
}

TableInfo invariant() {
  using enum Type;
  return {.name = "invariant",
          .description = "A sentence that must hold while plans work",
          .keys = {{.name = "name",
                    .description = "What it is called; of two with one name the more specific "
                                   "counts"},
                   {.name = "text", .description = "The sentence"},
                   {.name = "non_overridable",
                    .type = kBoolean,
                    .default_value = "false",
                    .description = "true: nothing more specific takes its place"}},
          .needed = {"name", "text"}};
}

}  // namespace

TableSchema all_tables() { return {validation(), hook(), invariant()}; }

}  // namespace clever::config::internal
