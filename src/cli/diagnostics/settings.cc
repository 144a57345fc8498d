#include "config/settings.h"

#include "cli/diagnostics/sections.h"
#include "io/file.h"

namespace clever::cli {
namespace {

std::string presence(const std::filesystem::path& file) {
  return file.string() + (io::file_kind(file) == io::FileKind::kFile ? "" : " (none)");
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
                              "correct the named place; `agents config path` prints the file"});
    return section;
  }
  section.checks.push_back({"content", Verdict::kOk, "valid", ""});
  const std::string model = settings->text("model.default");
  if (model.empty()) {
    section.checks.push_back({"model", Verdict::kWarn, "model.default is not set",
                              "agents config set model.default PROVIDER/MODEL"});
  } else {
    section.checks.push_back({"model", Verdict::kOk, model, ""});
  }
  return section;
}

}  // namespace clever::cli
