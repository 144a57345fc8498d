#include "service/commands/commands.h"
#include "service/context.h"
#include "service/demo/demo_report.h"
#include "service/demo/demo_run.h"
#include "service/invocation.h"

namespace clever::service {
namespace {

base::Result<Report> demo(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(
      const DemoOutcome outcome,
      run_demo({.live = invocation.flag("live"), .keep = invocation.flag("keep")}, context));
  return demo_report(outcome);
}

}  // namespace

Command demo_command() {
  return {
      .name = "demo",
      .summary = "Watch a plan survive kill -9, in a temporary folder",
      .description =
          "Creates a small repository with failing tests and repairs it with one plan of eight "
          "parallel subplans. Kills the worker half-way with SIGKILL, resumes, and compares the "
          "result with an undisturbed run. Then applies the change and runs the tests.\n\nWithout "
          "--live a script replaces the model: the demo needs no key, sends nothing and costs "
          "nothing. It does not touch your plans and settings.",
      .options = {{.name = "live", .summary = "Use your own provider's model, for at most 1 USD"},
                  {.name = "keep", .summary = "Leave the temporary folder behind"}},
      .examples = {{"agents demo", "A few seconds, no key, no network"},
                   {"agents demo --live", "The same with your own model"},
                   {"agents demo --keep", "Leaves the repository and its plans to look at"}},
      .handler = demo};
}

}  // namespace clever::service
