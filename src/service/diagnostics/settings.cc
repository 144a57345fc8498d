#include "config/settings.h"

#include "io/file.h"
#include "service/commands/db.h"
#include "service/diagnostics/sections.h"
#include "service/plan/control_settings.h"
#include "service/plan/rule_warnings.h"
#include "service/text.h"

namespace clever::service {
namespace {

std::string presence(const std::filesystem::path& file) {
  return file.string() + (io::file_kind(file) == io::FileKind::kFile ? "" : " (none)");
}

// Shows the profile and the rules for the plans of this folder.
void check_rules_of_folder(Context& context, const config::Settings& settings, Checks& section) {
  const auto& project = context.project();
  const std::filesystem::path root = project.ok() ? project->root : context.directory();
  model::PlanSettings plan;
  const engine::Action action;
  const auto control =
      add_control(context, {.settings = settings, .action = action, .project = root}, plan);
  if (!control.ok()) {
    section.checks.push_back({"rules", Verdict::kFail, control.error().sentence(), ""});
    return;
  }
  const auto rules = engine::rules_in(plan.control);
  if (rules.empty()) return;
  const auto known = known_tools(context, settings, root);
  if (!known.ok()) {
    section.checks.push_back({"rules", Verdict::kFail, known.error().sentence(), ""});
    return;
  }
  const auto sentences = engine::rules_without_effect(rules, *known);
  for (const std::string& sentence : sentences) {
    section.checks.push_back({"rules", Verdict::kWarn, sentence, ""});
  }
  if (!sentences.empty()) return;
  section.checks.push_back({"rules", Verdict::kOk, counted(rules.size(), "rule"), ""});
}

}  // namespace

Checks check_settings(Context& context) {
  Checks section{"settings", {}};
  section.checks.push_back(
      {"user file", Verdict::kOk, presence(config::user_file(context.home())), ""});
  if (const auto project = config::project_file(context.sources())) {
    section.checks.push_back({"project file", Verdict::kOk, project->string(), ""});
  }
  const auto& settings = context.settings();
  if (!settings.ok()) {
    section.checks.push_back({"content", Verdict::kFail, settings.error().sentence(),
                              "correct that line; `agents config path` prints the file's path"});
    return section;
  }
  section.checks.push_back({"content", Verdict::kOk, "valid", ""});
  check_rules_of_folder(context, *settings, section);
  const std::string model = settings->text("model.default");
  if (model.empty()) {
    section.checks.push_back({"model", Verdict::kWarn, "model.default is not set",
                              "agents config set model.default PROVIDER/MODEL"});
  } else {
    section.checks.push_back({"model", Verdict::kOk, model, ""});
  }
  return section;
}

}  // namespace clever::service
