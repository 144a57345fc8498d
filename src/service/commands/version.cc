#include "service/build_facts.h"
#include "service/commands/commands.h"

namespace clever::service {
namespace {

base::Result<Report> show_version(const Invocation&, Context&) {
  const BuildFacts facts = build_facts();
  Report report;
  report.data.set("version", facts.version)
      .set("build", facts.build)
      .set("compiler", facts.compiler);
  report.view = {
      Prose{{{{"agents ", Tone::kStrong}, {std::string(facts.version), Tone::kAccent}},
             {{"built as " + std::string(facts.build) + " with " + facts.compiler, Tone::kDim}}}}};
  return report;
}

}  // namespace

Command version_command() {
  return {.name = "version",
          .summary = "Show the version and how it was built",
          .examples = {{"agents version", "The version of this binary"},
                       {"agents version --format json", "The same for a program"}},
          .handler = show_version};
}

}  // namespace clever::service
