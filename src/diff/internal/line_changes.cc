#include "diff/internal/line_changes.h"

#include <git2.h>

#include <algorithm>

#include "git/initialise.h"

namespace clever::diff::internal {
namespace {

std::size_t line_count(std::string_view text) {
  const auto ends = static_cast<std::size_t>(std::ranges::count(text, '\n'));
  return text.empty() || text.ends_with('\n') ? ends : ends + 1;
}

// For a side without lines, git names the line before it.
std::size_t begin_of(int start, int lines) {
  return static_cast<std::size_t>(lines == 0 ? start : start - 1);
}

int add_change(const git_diff_delta* /*delta*/, const git_diff_hunk* hunk, void* payload) {
  static_cast<std::vector<LineChange>*>(payload)->push_back(
      {.old_begin = begin_of(hunk->old_start, hunk->old_lines),
       .old_lines = static_cast<std::size_t>(hunk->old_lines),
       .new_begin = begin_of(hunk->new_start, hunk->new_lines),
       .new_lines = static_cast<std::size_t>(hunk->new_lines)});
  return 0;
}

const char* data_of(std::string_view text) { return text.empty() ? "" : text.data(); }

}  // namespace

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::size_t length = end == std::string_view::npos ? text.size() : end + 1;
    lines.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return lines;
}

void append_lines(std::string& text, const std::vector<std::string_view>& lines, std::size_t begin,
                  std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) text += lines[i];
}

std::vector<LineChange> line_changes(std::string_view before, std::string_view after) {
  if (before == after) return {};
  git::initialise();
  git_diff_options options{};
  git_diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION);
  options.flags = GIT_DIFF_FORCE_TEXT | GIT_DIFF_INDENT_HEURISTIC;
  options.context_lines = 0;
  options.interhunk_lines = 0;
  options.max_size = -1;
  std::vector<LineChange> changes;
  const int failed =
      git_diff_buffers(data_of(before), before.size(), nullptr, data_of(after), after.size(),
                       nullptr, &options, nullptr, nullptr, add_change, nullptr, &changes);
  if (failed == 0 && !changes.empty()) return changes;
  return {{0, line_count(before), 0, line_count(after)}};
}

}  // namespace clever::diff::internal
