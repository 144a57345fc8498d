#include "cli/diff/shown_changes.h"

#include <utility>
#include <variant>
#include <vector>

#include "cli/diff/pager.h"
#include "cli/diff/painted_diff.h"
#include "cli/diff/side_by_side.h"
#include "diff/quote.h"
#include "diff/tree_diff.h"
#include "service/diff/diff_words.h"

namespace clever::cli {
namespace {

using diff::FileDiff;
using service::DiffShape;

constexpr std::size_t kWidthOfPipe = 160;

// Quotes names as git does: a name may contain a line feed, or characters that steer a terminal.
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
    shown += service::shown_line(names.substr(0, end)) + "\n";
    names.remove_prefix(end + 1);
  }
  return shown;
}

std::string for_people(const std::vector<FileDiff>& files, DiffShape shape, const Screen& screen,
                       const Look& look, std::size_t width) {
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

std::string text_of(const Changes& changes, const Screen& screen, const Look& look,
                    std::size_t width) {
  const bool exact = !screen.output_is_terminal && screen.format == Format::kPlain &&
                     changes.shape != DiffShape::kSides;
  return exact ? diff_text(changes.files, changes.shape, width)
               : for_people(changes.files, changes.shape, screen, look, width);
}

}  // namespace

View with_changes_as_text(View view, const Screen& screen, const Look& look, std::size_t width) {
  for (Block& block : view) {
    if (const auto* changes = std::get_if<Changes>(&block)) {
      block = Raw{text_of(*changes, screen, look, width)};
    }
  }
  return view;
}

View with_changes_shown(View view, const Look& look, Context& context) {
  const Screen screen = context.screen();
  std::erase_if(view, [&](Block& block) {
    const auto* changes = std::get_if<Changes>(&block);
    if (changes == nullptr) return false;
    const bool may_page = changes->paged;
    std::string text = text_of(*changes, screen, look, context.width());
    if (may_page && paged(text, context)) return true;
    block = Raw{std::move(text)};
    return false;
  });
  return view;
}

}  // namespace clever::cli
