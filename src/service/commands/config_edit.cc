#include <optional>
#include <string>

#include "config/settings.h"
#include "io/file.h"
#include "service/commands/commands.h"
#include "service/commands/config.h"
#include "service/diff/editor.h"

namespace clever::service {
namespace {

constexpr std::string_view kNewFile =
    "# Settings; `agents config list` shows all there are, and their values.\n";
constexpr unsigned kSettingsFileMode = 0600;

Report edited_report(const std::filesystem::path& file, bool changed, const Context& context) {
  Report report;
  report.data.set("file", file.string()).set("changed", changed);
  report.view = {Prose{
      {{{changed ? "changed " : "not changed: "}, {short_path(file, context), Tone::kStrong}}}}};
  return report;
}

base::Result<void> write_back(const std::filesystem::path& file, const std::string& text) {
  CLEVER_TRY(io::make_directories(file.parent_path()));
  return io::write_file_atomically(file, text, kSettingsFileMode);
}

// None: there is no file.
base::Result<std::optional<std::string>> content_of(const std::filesystem::path& file) {
  auto text = io::read_file(file);
  if (text.ok()) return std::optional(*std::move(text));
  if (text.error().code() == base::ErrorCode::kNotFound) return std::optional<std::string>();
  return text.error();
}

base::Result<void> restore(const std::filesystem::path& file,
                           const std::optional<std::string>& text) {
  if (text) return write_back(file, *text);
  std::error_code ignored;
  std::filesystem::remove(file, ignored);
  return {};
}

// Writes what the person made of `seen`, unless the file has another content by now.
base::Result<void> replace(const std::filesystem::path& file,
                           const std::optional<std::string>& seen, const std::string& text) {
  CLEVER_ASSIGN(const auto now, content_of(file));
  if (now == seen) return write_back(file, text);
  return base::conflict(file.string() +
                        " was changed while you edited it: your text was not written");
}

// Repeats until the file can be read, or the person gives up; then the file stays as it was.
base::Result<Report> edit_settings(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const std::filesystem::path file, target_file(invocation, context));
  const Screen screen = context.screen();
  CLEVER_ASSIGN(const auto before, content_of(file));
  std::string text = before.value_or(std::string(kNewFile));
  while (true) {
    CLEVER_ASSIGN(const auto edited,
                  edited_text(file.filename().string(), text, context, screen.foreground));
    if (!edited) return edited_report(file, false, context);
    CLEVER_TRY(replace(file, before, *edited));
    const auto settings = config::load_settings(context.sources());
    if (settings.ok()) return edited_report(file, true, context);
    CLEVER_TRY(restore(file, before));
    if (screen.can_ask()) {
      CLEVER_TRY(screen.say({Prose{{{{settings.error().sentence(), Tone::kBad}}}}}));
      CLEVER_ASSIGN(const bool again, screen.confirm("Edit it again?", context.stop()));
      text = *edited;
      if (again) continue;
    }
    return base::Error(settings.error()).add_context("nothing was changed");
  }
}

}  // namespace

Command config_edit_command() {
  return {.name = "edit",
          .summary = "Edit the settings file in your editor",
          .description =
              "Opens your config.toml, or with --project the project's, in $VISUAL, $EDITOR or vi. "
              "A file that cannot be read as settings is not kept: you can edit it again, or it is "
              "as it was.",
          .options = {project_option()},
          .examples = {{"agents config edit", "Your own settings"},
                       {"agents config edit --project", "Those of this project"}},
          .handler = edit_settings};
}

}  // namespace clever::service
