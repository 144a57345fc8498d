#include "service/diff/diff_report.h"

#include <algorithm>
#include <filesystem>

#include "service/diff/diff_words.h"
#include "service/text.h"

namespace clever::service {
namespace {

using diff::FileDiff;

constexpr std::size_t kWideTerminal = 140;

base::Result<bool> wants_sides(Context& context) {
  const Screen screen = context.screen();
  if (!screen.output_is_terminal || screen.format != Format::kRich) return false;
  const auto& settings = context.settings();
  if (!settings.ok()) return settings.error();
  const std::string layout(settings->text("diff.layout"));
  return layout == "side-by-side" || (layout == "auto" && screen.width >= kWideTerminal);
}

// Returns the path within the project, without "." and "..".
std::string inside(const std::filesystem::path& path, const std::filesystem::path& project) {
  std::string text = path.lexically_normal().lexically_relative(project).generic_string();
  while (text.ends_with('/')) text.pop_back();
  return text;
}

bool lies_at(const std::string& file, const std::string& path) {
  return path == "." || file == path || file.starts_with(path + "/");
}

}  // namespace

std::vector<Option> diff_options() {
  return {{.name = "patch", .summary = "Show what `git apply` takes (default in a pipe)"},
          {.name = "stat", .summary = "Show only how much changed in each file"},
          {.name = "word", .summary = "Mark changed words instead of lines"},
          {.name = "name-only", .summary = "Show only file names"},
          {.name = "side-by-side", .summary = "Show old lines on the left, new lines on the right"},
          {.name = "no-pager", .summary = "Print the whole diff without a pager"}};
}

base::Result<DiffShape> diff_shape(const Invocation& invocation, Context& context) {
  const bool patch = invocation.flag("patch");
  const bool stat = invocation.flag("stat");
  const bool word = invocation.flag("word");
  const bool names = invocation.flag("name-only");
  const bool sides = invocation.flag("side-by-side");
  if (int{patch} + int{stat} + int{word} + int{names} + int{sides} > 1) {
    return base::invalid_argument(
        "--patch, --stat, --word, --name-only and --side-by-side exclude each other");
  }
  if (patch) return DiffShape::kUnified;
  if (stat) return DiffShape::kStat;
  if (word) return DiffShape::kWords;
  if (names) return DiffShape::kNames;
  if (sides) return DiffShape::kSides;
  CLEVER_ASSIGN(const bool wanted, wants_sides(context));
  return wanted ? DiffShape::kSides : DiffShape::kUnified;
}

Report diff_report(Document head, std::vector<FileDiff> files, DiffShape shape,
                   const Invocation& invocation) {
  Document list = Document::list();
  for (const FileDiff& file : files) list.push(file_document(file));
  Report report;
  report.data = std::move(head);
  report.data.set("files", std::move(list))
      .set("diff", shape == DiffShape::kWords ? diff::word_diff(files) : diff::unified(files));
  report.view = {
      Changes{.files = std::move(files), .shape = shape, .paged = !invocation.flag("no-pager")}};
  return report;
}

base::Result<std::vector<FileDiff>> files_at(std::vector<FileDiff> files,
                                             const std::vector<std::string>& paths,
                                             const std::string& project, const Context& context) {
  if (paths.empty()) return files;
  std::vector<bool> wanted(files.size());
  for (const std::string& path : paths) {
    const std::string here = inside(context.directory() / path, project);
    const std::string there = inside(std::filesystem::path(project) / path, project);
    bool found = false;
    for (std::size_t i = 0; i < files.size(); ++i) {
      const bool fits = lies_at(files[i].path, here) || lies_at(files[i].path, there);
      if (fits) wanted[i] = true;
      found = found || fits;
    }
    if (!found) return base::not_found("the plan changed nothing under " + in_quotes(path));
  }
  std::size_t index = 0;
  std::erase_if(files, [&](const FileDiff&) { return !wanted[index++]; });
  return files;
}

}  // namespace clever::service
