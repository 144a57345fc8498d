#include "cli/manual.h"

#include "cli/commands/commands.h"
#include "cli/parse.h"
#include "cli/reference.h"
#include "cli/words.h"
#include "config/schema.h"
#include "io/file.h"
#include "service/build_facts.h"
#include "service/context.h"

namespace clever::cli {
namespace {

base::Result<Report> write_reference(const std::filesystem::path& file, const Command& root) {
  CLEVER_TRY(io::write_file_atomically(file, reference(root, config::schema()), 0644));
  Report report;
  report.data.set("file", file.string());
  report.view = {Prose{{{{file.string()}}}}};
  return report;
}

base::Result<Report> write_pages(const Invocation& invocation, Context& context) {
  if (const auto file = invocation.value("reference"); file) {
    return write_reference(context.directory() / *file, invocation.root());
  }
  const auto folder = context.directory() / invocation.value("output").value_or("");
  CLEVER_TRY(io::make_directories(folder, 0755));
  Report report;
  Document files = Document::list();
  Prose names;
  for (const ManualPage& page : manual_pages(invocation.root(), service::build_facts().version)) {
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
                       .completes = Completes::kDirectory},
                      {.name = "reference",
                       .value = "FILE",
                       .summary = "Write one page of everything, in Markdown, there instead"}},
          .examples = {{"agents manual --output man1", "One page per command"},
                       {"agents manual --reference docs/reference/commands.md", "The reference"}},
          .handler = write_pages,
          .hidden = true};
}

}  // namespace clever::cli
