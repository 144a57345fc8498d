#include "cli/manual.h"

#include "cli/build_facts.h"
#include "cli/commands/commands.h"
#include "cli/context.h"
#include "cli/parse.h"
#include "io/file.h"

namespace clever::cli {
namespace {

base::Result<Report> write_pages(const Invocation& invocation, Context& context) {
  const auto folder = context.directory() / invocation.value("output").value_or("");
  CLEVER_TRY(io::make_directories(folder, 0755));
  Report report;
  Document files = Document::list();
  Prose names;
  for (const ManualPage& page : manual_pages(invocation.root(), build_facts().version)) {
    CLEVER_TRY(io::write_file_atomically(folder / page.file_name, page.text, 0644));
    files.push((folder / page.file_name).string());
    names.lines.push_back({{(folder / page.file_name).string()}});
  }
  report.data.set("files", std::move(files));
  report.view = {std::move(names)};
  return report;
}

}  // namespace

Command manual_command() {
  return {.name = "manual",
          .summary = "Write the manual pages",
          .options = {{.name = "output",
                       .value = "DIR",
                       .summary = "The folder to write them to (default: here)",
                       .completes = Completes::kDirectory}},
          .examples = {{"agents manual --output man1", "One page per command"}},
          .handler = write_pages,
          .hidden = true};
}

}  // namespace clever::cli
