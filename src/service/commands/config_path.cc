#include "io/file.h"
#include "service/commands/commands.h"
#include "service/commands/config.h"

namespace clever::service {
namespace {

base::Result<Report> path(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const auto file, target_file(invocation, context));
  Report report;
  report.data.set("path", file.string()).set("exists", io::file_kind(file) == io::FileKind::kFile);
  report.view = {Raw{file.string() + "\n"}};
  return report;
}

}  // namespace

Command config_path_command() {
  return {.name = "path",
          .summary = "Print where the settings are kept",
          .description =
              "Prints the path of your config.toml, or of the project's with --project. "
              "The file need not exist.",
          .options = {project_option()},
          .examples = {{"$EDITOR \"$(agents config path)\"", "Edit it by hand"}},
          .handler = path};
}

}  // namespace clever::service
