#include <algorithm>
#include <optional>
#include <span>

#include "diff/internal/hunks.h"
#include "diff/internal/markers.h"
#include "diff/merge.h"

namespace clever::diff {
namespace {

using Lines = std::vector<std::string_view>;

constexpr std::size_t kContext = 3;

bool stands_at(const Lines& lines, std::size_t at, const Lines& expected) {
  return std::ranges::equal(std::span(lines).subspan(at, expected.size()), expected);
}

// Where a block may go.
struct Wanted {
  std::size_t first;  // not before this line
  std::size_t at;
  bool at_end;  // only there
};

// Returns the place with the expected lines that is nearest to the wanted one; of two equally near
// ones the upper. An empty expectation matches only an empty text.
std::optional<std::size_t> find_place(const Lines& lines, const Lines& expected,
                                      const Wanted& wanted) {
  if (expected.empty()) return lines.empty() ? std::optional<std::size_t>(0) : std::nullopt;
  if (lines.size() < wanted.first + expected.size()) return std::nullopt;
  const std::size_t last = lines.size() - expected.size();
  const std::size_t first = wanted.at_end ? last : wanted.first;
  const std::size_t middle = std::clamp(wanted.at, first, last);
  for (std::size_t distance = 0; distance <= last - first; ++distance) {
    if (middle >= first + distance && stands_at(lines, middle - distance, expected)) {
      return middle - distance;
    }
    if (middle + distance <= last && stands_at(lines, middle + distance, expected)) {
      return middle + distance;
    }
  }
  return std::nullopt;
}

void end_line(std::string& text, std::string_view line_end) {
  if (!text.empty() && !text.ends_with('\n')) text += line_end;
}

class Replay {
 public:
  Replay(std::string_view base, std::string_view ours, std::string_view theirs,
         const TextNames& names)
      : ours_(internal::split_lines(ours)),
        names_(names),
        marker_size_(internal::marker_size({base, ours, theirs})),
        line_end_(ours.contains("\r\n") ? "\r\n" : "\n") {}

  void apply(const Hunk& block) {
    const std::string before = internal::side_of(block, LineKind::kAdded);
    const std::string after = internal::side_of(block, LineKind::kRemoved);
    const Lines expected = internal::split_lines(before);
    const std::size_t wanted = moved(internal::old_begin(block));
    // A block without a final newline can only be at the end.
    const bool at_end = !after.empty() && !after.ends_with('\n');
    if (const auto place = find_place(ours_, expected, {done_, wanted, at_end})) {
      copy_until(*place);
      merged_.content += after;
      done_ = *place + expected.size();
      offset_ = static_cast<std::ptrdiff_t>(*place) -
                static_cast<std::ptrdiff_t>(internal::old_begin(block));
    } else {
      mark(wanted, expected.size(), before, after);
    }
  }

  MergedText finish() && {
    copy_until(ours_.size());
    return std::move(merged_);
  }

 private:
  // Maps a line of the base to ours, according to the blocks before it.
  std::size_t moved(std::uint64_t line) const {
    const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(line) + offset_;
    return std::clamp(static_cast<std::size_t>(std::max<std::ptrdiff_t>(at, 0)), done_,
                      ours_.size());
  }

  void copy_until(std::size_t line) {
    internal::append_lines(merged_.content, ours_, done_, line);
    done_ = line;
  }

  void mark(std::size_t place, std::size_t lines, const std::string& before,
            const std::string& after) {
    copy_until(place);
    const std::size_t end = std::min(place + lines, ours_.size());
    marker('<', names_.ours);
    internal::append_lines(merged_.content, ours_, place, end);
    marker('|', names_.base);
    merged_.content += before;
    marker('=', "");
    merged_.content += after;
    marker('>', names_.theirs);
    done_ = end;
    ++merged_.conflicts;
  }

  void marker(char sign, std::string_view name) {
    end_line(merged_.content, line_end_);
    merged_.content.append(marker_size_, sign);
    if (!name.empty()) merged_.content.append(" ").append(name);
    merged_.content += line_end_;
  }

  // Constant after construction.
  const Lines ours_;
  const internal::MarkerNames names_;
  const std::size_t marker_size_;
  const std::string_view line_end_;
  // The result so far.
  MergedText merged_;
  std::size_t done_ = 0;
  std::ptrdiff_t offset_ = 0;
};

}  // namespace

MergedText replay_text(std::string_view base, std::string_view ours, std::string_view theirs,
                       const TextNames& names) {
  Replay replay(base, ours, theirs, names);
  const std::vector<Hunk> hunks = hunks_of({}, base, theirs, {.context = kContext});
  for (const Hunk& block : internal::join_touching(hunks)) replay.apply(block);
  return std::move(replay).finish();
}

}  // namespace clever::diff
