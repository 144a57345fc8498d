#include <utility>

#include "base/text.h"
#include "config/settings.h"
#include "io/file.h"
#include "service/commands/commands.h"
#include "service/commands/config.h"
#include "service/commands/first_run.h"
#include "service/commands/init_findings.h"
#include "service/text.h"

namespace clever::service {
namespace {

enum class Written : std::uint8_t { kYes, kWithValidations, kThereAlready, kDeclined };

// Asks whether the tests that it found become validations; --yes agrees.
base::Result<bool> wants_validations(const InitFindings& findings, const Invocation& invocation,
                                     const Context& context) {
  if (findings.tests.empty()) return false;
  const Screen screen = context.screen();
  if (invocation.flag("yes") || !screen.can_ask()) return invocation.flag("yes");
  std::vector<std::string> commands;
  for (const FoundTests& tests : findings.tests) commands.push_back(tests.check());
  return screen.confirm("Check the work of plans with " + base::joined(commands) + "?",
                        context.stop());
}

base::Result<Written> write_config(const std::filesystem::path& file, const InitFindings& findings,
                                   const Invocation& invocation, Context& context) {
  if (io::file_kind(file) != io::FileKind::kMissing) return Written::kThereAlready;
  const Screen screen = context.screen();
  if (!invocation.flag("yes") && screen.can_ask()) {
    CLEVER_ASSIGN(const bool yes,
                  screen.confirm("Write " + short_path(file, context) + "?", context.stop()));
    if (!yes) return Written::kDeclined;
  }
  CLEVER_ASSIGN(const bool validates, wants_validations(findings, invocation, context));
  constexpr mode_t kFolder = 0755;
  constexpr mode_t kFile = 0644;
  CLEVER_TRY(io::make_directories(file.parent_path(), kFolder));
  CLEVER_TRY(io::write_file_atomically(file, initial_config(findings, validates), kFile));
  return validates ? Written::kWithValidations : Written::kYes;
}

Checks::Check found_tests_check(const InitFindings& findings) {
  if (findings.tests.empty()) {
    return {"tests", Verdict::kWarn, "none were found",
            "say in AGENTS.md how the project is built and tested"};
  }
  std::vector<std::string> commands;
  for (const FoundTests& tests : findings.tests) commands.push_back(tests.command);
  return {"tests", Verdict::kOk, base::joined(commands), ""};
}

Checks::Check git_check(const InitFindings& findings) {
  if (!findings.repository) {
    return {"project", Verdict::kOk, findings.root.string() + ", no git repository", ""};
  }
  return {"project", Verdict::kOk,
          findings.root.string() +
              (findings.branch.empty() ? ", detached" : ", branch " + findings.branch),
          ""};
}

Checks found_checks(const InitFindings& findings) {
  Checks checks{"found", {git_check(findings), found_tests_check(findings)}};
  if (findings.providers.empty()) {
    checks.checks.push_back({"models", Verdict::kWarn, "no provider is configured",
                             "set ANTHROPIC_API_KEY, OPENAI_API_KEY or another provider's key; "
                             "`agents demo` needs none"});
  } else {
    checks.checks.push_back({"models", Verdict::kOk,
                             base::joined(findings.providers) +
                                 (findings.model.empty() ? "" : "; used is " + findings.model),
                             ""});
  }
  checks.checks.push_back(findings.unconfined.empty()
                              ? Checks::Check{"confinement", Verdict::kOk, "works", ""}
                              : Checks::Check{"confinement", Verdict::kWarn, findings.unconfined,
                                              "`agents diagnostics` says more"});
  return checks;
}

Document init_document(const InitFindings& findings, const std::filesystem::path& file,
                       Written written) {
  Document tests = Document::list();
  for (const FoundTests& each : findings.tests) {
    tests.push(Document::map()
                   .set("kind", each.kind)
                   .set("command", each.command)
                   .set("validation", each.check()));
  }
  return Document::map()
      .set("project", findings.root.string())
      .set("repository", findings.repository)
      .set("branch", findings.branch)
      .set("tests", std::move(tests))
      .set("providers", Document::texts(findings.providers))
      .set("model", findings.model)
      .set("confined", findings.unconfined.empty())
      .set("config", file.string())
      .set("written", written == Written::kYes || written == Written::kWithValidations)
      .set("validates", written == Written::kWithValidations);
}

std::string outcome_text(Written written, const std::string& file) {
  switch (written) {
    case Written::kYes:
      return "Wrote " + file + "; everything in it is a comment.";
    case Written::kWithValidations:
      return "Wrote " + file + " with validations: `agents trust` allows them to be run.";
    case Written::kThereAlready:
      return file + " is there already, and stays as it is.";
    case Written::kDeclined:
      break;
  }
  return "Nothing was written.";
}

base::Result<Report> init(const Invocation& invocation, Context& context) {
  if (!invocation.flag("yes")) CLEVER_TRY(guide_first_run(context));
  CLEVER_ASSIGN(const InitFindings findings, look_around(context));
  const std::filesystem::path folder = findings.root / ".cleveragents";
  if (folder == context.home() || io::same_file(folder, context.home())) {
    return base::invalid_argument(findings.root.string() +
                                  " cannot be a project: its .cleveragents holds your own "
                                  "settings; change to the project's folder, or pass -C DIR");
  }
  const std::filesystem::path file = folder / "config.toml";
  CLEVER_ASSIGN(const Written written, write_config(file, findings, invocation, context));
  Report report;
  report.data = init_document(findings, file, written);
  report.view = {found_checks(findings),
                 Prose{{{{outcome_text(written, short_path(file, context))}},
                        {{"next: ", Tone::kDim}, {"agents run \"TASK\"", Tone::kAccent}}}}};
  return report;
}

}  // namespace

Command init_command() {
  return {.name = "init",
          .summary = "Write a commented config file for this project",
          .description =
              "Optional: `agents run` works without it. Looks for the repository, its tests, "
              "providers with a key, and whether this machine can confine commands. Then writes "
              ".cleveragents/config.toml with every setting commented out; the tests become "
              "validations if you agree. Never overwrites an existing file. As long as you have no "
              "settings of your own, it also proposes a model or an agent, as `agents` alone does.",
          .options = {{.name = "yes",
                       .letter = 'y',
                       .summary = "Ask nothing, and make the tests it finds validations"}},
          .examples = {{"agents init", "Look, ask, write"},
                       {"agents init --yes --format json", "For a program"}},
          .handler = init};
}

}  // namespace clever::service
