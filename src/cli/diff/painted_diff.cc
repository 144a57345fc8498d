#include "cli/diff/painted_diff.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace clever::cli {
namespace {

constexpr std::string_view kSetOff = "\x1b[7m";
constexpr std::string_view kSetOffEnd = "\x1b[27m";

// Returns the next line without its line end, and moves `text` behind it.
std::string_view next_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

enum class Role : std::uint8_t { kHeader, kPlace, kContext, kRemoved, kAdded, kRemark };

// "-12,3" → 3, "-12" → 1.
std::uint64_t count_in(std::string_view range) {
  const std::size_t comma = range.find(',');
  if (comma == std::string_view::npos) return 1;
  std::uint64_t count = 0;
  std::from_chars(range.data() + comma + 1, range.data() + range.size(), count);
  return count;
}

/// Tells from the numbers of "@@ -1,2 +3,4 @@" which lines belong to a hunk; otherwise a removed
/// "-- x" would look like a header.
class HunkReader {
 public:
  Role role(std::string_view line) {
    if (line.starts_with('\\')) return Role::kRemark;
    if (old_left_ == 0 && new_left_ == 0) return between(line);
    if (line.starts_with('-')) {
      take(old_left_);
      return Role::kRemoved;
    }
    take(new_left_);
    if (line.starts_with('+')) return Role::kAdded;
    take(old_left_);
    return Role::kContext;
  }

 private:
  static void take(std::uint64_t& left) { left -= left > 0 ? 1U : 0U; }
  Role between(std::string_view line) {
    if (!line.starts_with("@@ -")) return Role::kHeader;
    const std::size_t plus = line.find(" +");
    const std::size_t end = line.find(" @@", 3);
    if (plus == std::string_view::npos || end == std::string_view::npos) return Role::kHeader;
    old_left_ = count_in(line.substr(3, plus - 3));
    new_left_ = count_in(line.substr(plus + 1, end - plus - 1));
    return Role::kPlace;
  }

  std::uint64_t old_left_ = 0;
  std::uint64_t new_left_ = 0;
};

Tone tone_of_role(Role role) {
  switch (role) {
    case Role::kHeader:
      return Tone::kStrong;
    case Role::kPlace:
      return Tone::kAccent;
    case Role::kRemoved:
      return Tone::kBad;
    case Role::kAdded:
      return Tone::kGood;
    case Role::kRemark:
      return Tone::kDim;
    case Role::kContext:
      break;
  }
  return Tone::kPlain;
}

/// Holds removed lines and the lines that replace them until both groups are complete.
class Painter {
 public:
  explicit Painter(const Look& look) : look_(look) {}

  void add(Role role, std::string_view line) {
    if (role == Role::kRemoved) {
      if (!added_.empty()) flush();
      removed_.emplace_back(line.substr(1));
    } else if (role == Role::kAdded) {
      added_.emplace_back(line.substr(1));
    } else if (role == Role::kRemark && !removed_.empty() && added_.empty()) {
      // The line is between the removed and the added lines.
      remark_ = line;
    } else {
      flush();
      text_ += painted(service::shown_line(line), tone_of_role(role), look_) + "\n";
    }
  }
  std::string finish() {
    flush();
    return std::move(text_);
  }

 private:
  void flush() {
    const service::ComparedLines compared = service::compare_lines(removed_, added_);
    for (const service::LinePieces& line : compared.removed) put('-', line, Tone::kBad);
    if (!remark_.empty()) text_ += painted(service::shown_line(remark_), Tone::kDim, look_) + "\n";
    for (const service::LinePieces& line : compared.added) put('+', line, Tone::kGood);
    removed_.clear();
    added_.clear();
    remark_.clear();
  }
  void put(char sign, const service::LinePieces& line, Tone tone) {
    service::LinePieces all{{std::string(1, sign), false}};
    const service::LinePieces shown = service::shown_pieces(line);
    all.insert(all.end(), shown.begin(), shown.end());
    text_ += painted_pieces(all, tone, look_) + "\n";
  }

  const Look& look_;
  std::vector<std::string> removed_;
  std::vector<std::string> added_;
  std::string remark_;
  std::string text_;
};

// Marks changes within a line: [-removed-] and {+added+}.
std::string painted_marks(std::string_view line, const Look& look) {
  std::string shown;
  while (!line.empty()) {
    const std::size_t removed = line.find("[-");
    const std::size_t added = line.find("{+");
    const std::size_t at = std::min(removed, added);
    const std::string_view close = removed < added ? "-]" : "+}";
    const std::size_t end = at == std::string_view::npos ? at : line.find(close, at);
    if (end == std::string_view::npos) return shown + service::shown_line(line);
    shown += service::shown_line(line.substr(0, at));
    shown += painted(service::shown_line(line.substr(at, end + 2 - at)),
                     removed < added ? Tone::kBad : Tone::kGood, look);
    line.remove_prefix(end + 2);
  }
  return shown;
}

std::string painted_stat_line(std::string_view line, const Look& look) {
  const std::size_t bar = line.rfind('|');
  const std::size_t graph = bar == std::string_view::npos ? bar : line.find_first_of("+-", bar);
  if (graph == std::string_view::npos) return service::shown_line(line);
  const std::size_t minus = std::min(line.find('-', graph), line.size());
  return service::shown_line(line.substr(0, graph)) +
         painted(service::shown_line(line.substr(graph, minus - graph)), Tone::kGood, look) +
         painted(service::shown_line(line.substr(minus)), Tone::kBad, look);
}

}  // namespace

std::string painted_pieces(const service::LinePieces& pieces, Tone tone, const Look& look) {
  std::string text;
  for (const service::LinePiece& piece : pieces) {
    const bool set_off = piece.changed && look.color;
    if (set_off) text += kSetOff;
    text += piece.text;
    if (set_off) text += kSetOffEnd;
  }
  return painted(text, tone, look);
}

std::string painted_unified(std::string_view text, const Look& look) {
  HunkReader reader;
  Painter painter(look);
  while (!text.empty()) {
    const std::string_view line = next_line(text);
    painter.add(reader.role(line), line);
  }
  return painter.finish();
}

std::string painted_words(std::string_view text, const Look& look) {
  std::string shown;
  bool in_hunk = false;
  while (!text.empty()) {
    const std::string_view line = next_line(text);
    const bool place = line.starts_with("@@ -");
    if (line.starts_with("diff --git ")) in_hunk = false;
    if (place || !in_hunk) {
      shown +=
          painted(service::shown_line(line), place ? Tone::kAccent : Tone::kStrong, look) + "\n";
    } else {
      shown += painted_marks(line, look) + "\n";
    }
    in_hunk = in_hunk || place;
  }
  return shown;
}

std::string painted_stat(std::string_view text, const Look& look) {
  std::string shown;
  while (!text.empty()) shown += painted_stat_line(next_line(text), look) + "\n";
  return shown;
}

std::string painted_hunk(const diff::Hunk& hunk, const Look& look) {
  const auto range = [](char sign, std::uint64_t start, std::uint64_t lines) {
    return sign + std::to_string(start) + (lines == 1 ? "" : "," + std::to_string(lines));
  };
  Painter painter(look);
  painter.add(Role::kPlace, "@@ " + range('-', hunk.old_start, hunk.old_lines) + " " +
                                range('+', hunk.new_start, hunk.new_lines) + " @@" +
                                (hunk.heading.empty() ? "" : " " + hunk.heading));
  for (const diff::Line& line : hunk.lines) {
    const bool ends = line.text.ends_with('\n');
    const std::string_view words =
        std::string_view(line.text).substr(0, line.text.size() - (ends ? 1 : 0));
    const Role role = line.kind == diff::LineKind::kAdded     ? Role::kAdded
                      : line.kind == diff::LineKind::kRemoved ? Role::kRemoved
                                                              : Role::kContext;
    const char sign = role == Role::kAdded ? '+' : role == Role::kRemoved ? '-' : ' ';
    painter.add(role, sign + std::string(words));
    if (!ends) painter.add(Role::kRemark, "\\ No newline at end of file");
  }
  return painter.finish();
}

}  // namespace clever::cli
