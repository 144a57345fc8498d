#include <array>

#include "base/redact.h"
#include "service/commands/commands.h"
#include "service/commands/db.h"
#include "service/diagnostics/sections.h"
#include "service/view.h"

namespace clever::service {
namespace {

std::vector<Checks> check_all_sections(Context& context) {
  std::vector<Checks> sections{check_toolchain(),         check_settings(context),
                               check_home(context),       check_database(context),
                               check_providers(context),  check_git(context),
                               check_confinement(context)};
  for (Checks& section : sections) {
    for (Checks::Check& check : section.checks) check.detail = base::redact(check.detail);
  }
  return sections;
}

// The number of findings, indexed by verdict.
using Tally = std::array<std::uint64_t, 3>;

Tally tally_of(const std::vector<Checks>& sections) {
  Tally tally{};
  for (const Checks& section : sections) {
    for (const Checks::Check& check : section.checks) {
      ++tally[static_cast<std::size_t>(check.verdict)];
    }
  }
  return tally;
}

Document sections_data(const std::vector<Checks>& sections, const Tally& tally) {
  Document list = Document::list();
  for (const Checks& section : sections) {
    Document checks = Document::list();
    for (const Checks::Check& check : section.checks) {
      Document item = Document::map();
      item.set("name", check.name)
          .set("status", to_string(check.verdict))
          .set("detail", check.detail);
      if (!check.hint.empty()) item.set("hint", check.hint);
      checks.push(std::move(item));
    }
    list.push(Document::map().set("name", section.title).set("checks", std::move(checks)));
  }
  return Document::map()
      .set("sections", std::move(list))
      .set("summary",
           Document::map().set("ok", tally[0]).set("warn", tally[1]).set("fail", tally[2]));
}

Prose tally_prose(const Tally& tally) {
  return {{{{std::to_string(tally[0]) + " ok", Tone::kGood},
            {", "},
            {counted(tally[1], "warning"), tally[1] > 0 ? Tone::kWarn : Tone::kDim},
            {", "},
            {counted(tally[2], "failure"), tally[2] > 0 ? Tone::kBad : Tone::kDim}}}};
}

base::Result<Report> diagnose(const Invocation&, Context& context) {
  const std::vector<Checks> sections = check_all_sections(context);
  const Tally tally = tally_of(sections);
  Report report;
  report.data = sections_data(sections, tally);
  report.view.assign(sections.begin(), sections.end());
  report.view.emplace_back(tally_prose(tally));
  if (tally[1] > 0) report.status = Status::kWarn;
  if (tally[2] > 0) {
    report.status = Status::kError;
    report.exit_code = ExitCode::kError;
  }
  return report;
}

}  // namespace

Command diagnostics_command() {
  return {
      .name = "diagnostics",
      .aliases = {"doctor"},
      .summary = "Check what this machine offers and what is missing",
      .description =
          "Checks the build, the settings, the home folder, the database, the model providers, "
          "git, and the kernel's support for confinement. Changes nothing and shows no "
          "keys.\n\nWarnings leave the exit code at 0; a failure makes it 1.",
      .examples = {{"agents diagnostics", "Everything, for people"},
                   {"agents doctor --format plain | grep -v ^ok", "Show only what needs attention"},
                   {"agents diagnostics --format json", "For a program, or a bug report"}},
      .handler = diagnose};
}

}  // namespace clever::service
