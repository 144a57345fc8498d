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
          "Makes a small repository whose tests fail, lets one plan with eight parallel subplans "
          "repair it, kills the worker half-way with SIGKILL, resumes, and compares the result "
          "with that of a run that nobody disturbed. Then the change is applied and the tests "
          "pass.\n\n"
          "Without --live a script answers in place of a model: no key is needed, nothing is "
          "sent anywhere and nothing is spent. Your own plans and settings are not touched.",
      .options = {{.name = "live",
                   .summary = "Let your own provider's model work, for at most 1 USD"},
                  {.name = "keep", .summary = "Leave the temporary folder behind"}},
      .examples = {{"agents demo", "A few seconds, no key, no network"},
                   {"agents demo --live", "The same with your own model"},
                   {"agents demo --keep", "Leaves the repository and its plans to look at"}},
      .handler = demo};
}

}  // namespace clever::service
