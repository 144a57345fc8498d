#include "config/edit.h"
#include "service/commands/commands.h"
#include "service/commands/config.h"

namespace clever::service {
namespace {

base::Result<Report> unset(const Invocation& invocation, Context& context) {
  const std::string& key = invocation.word(0);
  CLEVER_TRY(known_key(key));
  CLEVER_ASSIGN(const auto file, target_file(invocation, context));
  if (const auto done = config::unset_value(file, key); !done.ok()) {
    const bool absent = done.error().code() == base::ErrorCode::kNotFound;
    return absent ? done.error() : blame_file(done.error());
  }
  Report report;
  report.data.set("key", key).set("file", file.string());
  report.view = {
      Prose{{{{key, Tone::kAccent}, {" removed from "}, {short_path(file, context), Tone::kDim}}}}};
  return report;
}

}  // namespace

Command config_unset_command() {
  return {.name = "unset",
          .summary = "Remove a setting from a file",
          .description =
              "Removes a setting from your config.toml, or from the project's with "
              "--project. Exits with 3 if the file does not set it.",
          .positionals = {key_positional()},
          .options = {project_option()},
          .examples = {{"agents config unset output.format", "Back to the default"}},
          .handler = unset};
}

}  // namespace clever::service
