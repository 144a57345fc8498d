#include "cli/diff/diff_report.h"

#include <algorithm>
#include <filesystem>

#include "cli/diff/diff_words.h"
#include "cli/diff/pager.h"
#include "cli/diff/painted_diff.h"
#include "cli/diff/side_by_side.h"
#include "cli/text.h"
#include "diff/quote.h"

namespace clever::cli {
namespace {

using diff::FileDiff;

constexpr std::size_t kWideTerminal = 140;
constexpr std::size_t kWidthOfPipe = 160;

// As git prints them: a name may hold a line feed, or what steers a terminal.
std::string file_names(const std::vector<FileDiff>& files) {
  std::string names;
  for (const FileDiff& file : files) names += diff::quoted_path(file.path) + "\n";
  return names;
}

std::string diff_text(const std::vector<FileDiff>& files, DiffShape shape, std::size_t width) {
  switch (shape) {
    case DiffShape::kStat:
      return diff::stat(files, width);
    case DiffShape::kWords:
      return diff::word_diff(files);
    case DiffShape::kNames:
      return file_names(files);
    case DiffShape::kUnified:
    case DiffShape::kSides:
      break;
  }
  return diff::unified(files);
}

std::string names_shown(std::string_view names) {
  std::string shown;
  while (!names.empty()) {
    const std::size_t end = names.find('\n');
    shown += shown_line(names.substr(0, end)) + "\n";
    names.remove_prefix(end + 1);
  }
  return shown;
}

std::string for_people(const std::vector<FileDiff>& files, DiffShape shape, const Screen& screen,
                       std::size_t width) {
  const Look& look = screen.output_look;
  const std::string text = diff_text(files, shape, width);
  switch (shape) {
    case DiffShape::kStat:
      return painted_stat(text, look);
    case DiffShape::kWords:
      return painted_words(text, look);
    case DiffShape::kNames:
      return names_shown(text);
    case DiffShape::kSides:
      return side_by_side(files, screen.output_is_terminal ? screen.width : kWidthOfPipe, look);
    case DiffShape::kUnified:
      break;
  }
  return painted_unified(text, look);
}

base::Result<bool> wants_sides(Context& context) {
  const Screen screen = context.screen();
  if (!screen.output_is_terminal || screen.format != Format::kRich) return false;
  const auto& settings = context.settings();
  if (!settings.ok()) return settings.error();
  const std::string layout(settings->text("diff.layout"));
  return layout == "side-by-side" || (layout == "auto" && screen.width >= kWideTerminal);
}

// Within the project, without "." and "..".
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
  return {{.name = "stat", .summary = "Only how much changed in each file"},
          {.name = "word", .summary = "Mark changed words instead of lines"},
          {.name = "name-only", .summary = "Only the names of the files"},
          {.name = "side-by-side", .summary = "What was on the left, what is on the right"},
          {.name = "no-pager", .summary = "Print all of it, however long"}};
}

base::Result<DiffShape> diff_shape(const Invocation& invocation, Context& context) {
  const bool stat = invocation.flag("stat");
  const bool word = invocation.flag("word");
  const bool names = invocation.flag("name-only");
  const bool sides = invocation.flag("side-by-side");
  if (int{stat} + int{word} + int{names} + int{sides} > 1) {
    return base::invalid_argument(
        "--stat, --word, --name-only and --side-by-side exclude each other");
  }
  if (stat) return DiffShape::kStat;
  if (word) return DiffShape::kWords;
  if (names) return DiffShape::kNames;
  if (sides) return DiffShape::kSides;
  CLEVER_ASSIGN(const bool wanted, wants_sides(context));
  return wanted ? DiffShape::kSides : DiffShape::kUnified;
}

base::Result<Report> diff_report(Document head, const std::vector<FileDiff>& files, DiffShape shape,
                                 const Invocation& invocation, Context& context) {
  Document list = Document::list();
  for (const FileDiff& file : files) list.push(file_document(file));
  const DiffShape for_programs = shape == DiffShape::kWords ? shape : DiffShape::kUnified;
  Report report;
  report.data = std::move(head);
  report.data.set("files", std::move(list)).set("diff", diff_text(files, for_programs, 0));
  const Screen screen = context.screen();
  const bool exact =
      !screen.output_is_terminal && screen.format == Format::kPlain && shape != DiffShape::kSides;
  std::string text = exact ? diff_text(files, shape, context.width())
                           : for_people(files, shape, screen, context.width());
  if (!invocation.flag("no-pager")) {
    CLEVER_ASSIGN(const bool shown, paged(text, context));
    if (shown) return report;
  }
  report.view = {Raw{std::move(text)}};
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
    if (!found) return base::not_found("the plan changed nothing at " + in_quotes(path));
  }
  std::size_t index = 0;
  std::erase_if(files, [&](const FileDiff&) { return !wanted[index++]; });
  return files;
}

}  // namespace clever::cli
