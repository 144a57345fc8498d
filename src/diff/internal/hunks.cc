#include "diff/internal/hunks.h"

#include <algorithm>
#include <string>

#include "diff/internal/identity.h"

namespace clever::diff::internal {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

bool is_heading(std::string_view line) {
  const char first = line.front();
  return (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z') || first == '_' ||
         first == '$';
}

// Cuts it as git does.
std::string heading_text(std::string_view line) {
  line = line.substr(0, 80);
  while (!line.empty() && is_blank(line.back())) line.remove_suffix(1);
  return std::string(line);
}

// Finds the nearest heading above a line, for increasing lines.
class Headings {
 public:
  explicit Headings(std::span<const std::string_view> lines) : lines_(lines) {}

  std::string above(std::size_t line) {
    for (; next_ < line; ++next_) {
      if (is_heading(lines_[next_])) heading_ = lines_[next_];
    }
    return heading_text(heading_);
  }

 private:
  std::span<const std::string_view> lines_;
  std::size_t next_ = 0;
  std::string_view heading_;
};

void add_lines(Identity& identity, std::span<const std::string_view> lines) {
  identity.add(lines.size());
  for (const std::string_view line : lines) identity.add(line);
}

std::span<const std::string_view> part(const std::vector<std::string_view>& lines,
                                       std::size_t begin, std::size_t end) {
  return std::span(lines).subspan(begin, end - begin);
}

std::string identity_of(std::string_view path, const Comparison& texts, const LineChange& change) {
  const std::vector<std::string_view>& old_lines = texts.old_lines;
  const std::size_t above = change.old_begin - std::min<std::size_t>(change.old_begin, 1);
  const std::size_t below = std::min(change.old_end() + 1, old_lines.size());
  Identity identity;
  identity.add("hunk").add(path);
  add_lines(identity, part(old_lines, above, change.old_begin));
  add_lines(identity, part(old_lines, change.old_begin, change.old_end()));
  add_lines(identity, part(texts.new_lines, change.new_begin, change.new_end()));
  add_lines(identity, part(old_lines, change.old_end(), below));
  return identity.finish();
}

void append_hunk_lines(std::vector<Line>& lines, LineKind kind,
                       std::span<const std::string_view> texts) {
  for (const std::string_view text : texts) lines.push_back({kind, std::string(text)});
}

// Context lines before and after a change: half of the lines between it and its neighbour.
struct Margins {
  std::size_t above;
  std::size_t below;
};

Margins margins_of(const Comparison& texts, std::size_t index, std::size_t context) {
  const std::vector<LineChange>& changes = texts.changes;
  const LineChange& change = changes[index];
  const std::size_t above =
      index == 0 ? change.old_begin : (change.old_begin - changes[index - 1].old_end()) / 2;
  const std::size_t below = index + 1 == changes.size()
                                ? texts.old_lines.size() - change.old_end()
                                : (changes[index + 1].old_begin - change.old_end() + 1) / 2;
  return {std::min(above, context), std::min(below, context)};
}

Hunk make_hunk(const Comparison& texts, const LineChange& change, const Margins& margins) {
  Hunk hunk;
  const std::size_t begin = change.old_begin - margins.above;
  const std::size_t end = change.old_end() + margins.below;
  const std::size_t new_from = change.new_begin - margins.above;
  hunk.old_lines = end - begin;
  hunk.new_lines = margins.above + change.new_lines + margins.below;
  hunk.old_start = hunk.old_lines == 0 ? begin : begin + 1;
  hunk.new_start = hunk.new_lines == 0 ? new_from : new_from + 1;
  append_hunk_lines(hunk.lines, LineKind::kContext, part(texts.old_lines, begin, change.old_begin));
  append_hunk_lines(hunk.lines, LineKind::kRemoved,
                    part(texts.old_lines, change.old_begin, change.old_end()));
  append_hunk_lines(hunk.lines, LineKind::kAdded,
                    part(texts.new_lines, change.new_begin, change.new_end()));
  append_hunk_lines(hunk.lines, LineKind::kContext, part(texts.old_lines, change.old_end(), end));
  return hunk;
}

void join(Hunk& first, const Hunk& second) {
  // A side that was empty so far starts where the second one starts.
  if (first.old_lines == 0) first.old_start = second.old_start;
  if (first.new_lines == 0) first.new_start = second.new_start;
  first.old_lines += second.old_lines;
  first.new_lines += second.new_lines;
  first.lines.insert(first.lines.end(), second.lines.begin(), second.lines.end());
}

}  // namespace

Comparison::Comparison(std::string_view before, std::string_view after)
    : old_lines(split_lines(before)),
      new_lines(split_lines(after)),
      changes(line_changes(before, after)) {}

std::vector<Hunk> make_hunks(std::string_view path, const Comparison& comparison,
                             std::size_t context) {
  std::vector<Hunk> hunks;
  Headings headings(comparison.old_lines);
  Numbering numbering;
  for (std::size_t i = 0; i < comparison.changes.size(); ++i) {
    const LineChange& change = comparison.changes[i];
    const Margins margins = margins_of(comparison, i, context);
    Hunk hunk = make_hunk(comparison, change, margins);
    hunk.id = numbering.number(identity_of(path, comparison, change));
    hunk.heading = headings.above(change.old_begin - margins.above);
    hunks.push_back(std::move(hunk));
  }
  return hunks;
}

std::vector<Hunk> join_touching(std::span<const Hunk> hunks) {
  std::vector<Hunk> joined;
  for (const Hunk& hunk : hunks) {
    const bool touches =
        !joined.empty() && old_begin(joined.back()) + joined.back().old_lines == old_begin(hunk);
    if (touches) {
      join(joined.back(), hunk);
    } else {
      joined.push_back(hunk);
    }
  }
  return joined;
}

std::uint64_t old_begin(const Hunk& hunk) {
  return hunk.old_lines == 0 ? hunk.old_start : hunk.old_start - 1;
}

std::uint64_t count_lines(std::span<const Hunk> hunks, LineKind kind) {
  std::uint64_t count = 0;
  for (const Hunk& hunk : hunks) {
    count += static_cast<std::uint64_t>(std::ranges::count(hunk.lines, kind, &Line::kind));
  }
  return count;
}

std::string side_of(const Hunk& hunk, LineKind without) {
  std::string text;
  for (const Line& line : hunk.lines) {
    if (line.kind != without) text += line.text;
  }
  return text;
}

}  // namespace clever::diff::internal
