#include "sandbox/workspace/internal/nearest_lines.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/text.h"
#include "base/utf8.h"
#include "sandbox/workspace/internal/line_ends.h"

namespace clever::sandbox::internal {
namespace {

constexpr std::size_t kMostBytes = std::size_t{4} << 20U;
constexpr std::size_t kMostLinesShown = 12;
constexpr std::size_t kMostOfALine = 200;
// The share of common letter pairs, in percent, below which the "nearest" line would mislead.
constexpr std::size_t kAlike = 50;

// Counts pairs of neighbouring bytes; pairs with the same hash count as one.
class Pairs {
 public:
  explicit Pairs(std::string_view line) : size_(line.empty() ? 0 : line.size() - 1) {
    for (std::size_t i = 0; i < size_; ++i) ++count_[slot(line, i)];
  }
  /// In percent.
  [[nodiscard]] std::size_t likeness(std::string_view other) const {
    auto left = count_;
    std::size_t common = 0;
    const std::size_t size = other.empty() ? 0 : other.size() - 1;
    for (std::size_t i = 0; i < size; ++i) {
      auto& count = left[slot(other, i)];
      if (count == 0) continue;
      --count;
      ++common;
    }
    return size_ + size == 0 ? 0 : 200 * common / (size_ + size);
  }

 private:
  static std::size_t slot(std::string_view line, std::size_t at) {
    const auto first = static_cast<unsigned char>(line[at]);
    const auto second = static_cast<unsigned char>(line[at + 1]);
    return (first * 31U + second) % 512U;
  }
  std::array<std::uint16_t, 512> count_{};
  std::size_t size_;
};

struct Near {
  std::size_t line = 0;  // from 0
  std::size_t percent = 0;
};

Near nearest(const std::vector<std::string_view>& lines, std::string_view wanted) {
  wanted = base::trimmed(wanted).substr(0, 4 * kMostOfALine);
  const Pairs pairs(wanted);
  Near best;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = base::trimmed(lines[i]).substr(0, 4 * kMostOfALine);
    // Lines of very different length have few pairs in common.
    if (line.size() > 4 * wanted.size() || wanted.size() > 4 * line.size()) continue;
    const std::size_t percent = line == wanted ? 101 : pairs.likeness(line);
    if (percent > best.percent) best = {i, percent};
  }
  return best;
}

bool same_but_for_space(const std::vector<std::string_view>& lines, std::size_t first,
                        const std::vector<std::string_view>& wanted) {
  if (first + wanted.size() > lines.size()) return false;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (base::trimmed(lines[first + i]) != base::trimmed(wanted[i])) return false;
  }
  return true;
}

std::optional<std::size_t> find_but_for_space(const std::vector<std::string_view>& lines,
                                              const std::vector<std::string_view>& wanted) {
  std::size_t compared =
      0;  // compared lines; a bound, because repeated beginnings must not cost their square
  for (std::size_t i = 0; i < lines.size() && compared < 2 * lines.size() + 1000; ++i) {
    if (base::trimmed(lines[i]) != base::trimmed(wanted[0])) continue;
    compared += wanted.size();
    if (same_but_for_space(lines, i, wanted)) return i;
  }
  return std::nullopt;
}

std::string numbered_lines(const std::vector<std::string_view>& lines, std::size_t first,
                           std::size_t count) {
  std::string text;
  const std::size_t last = std::min(lines.size(), first + std::min(count, kMostLinesShown));
  for (std::size_t i = first; i < last; ++i) {
    const std::string line = base::to_valid_utf8(lines[i].substr(0, kMostOfALine));
    text += "\n" + std::to_string(i + 1) + ": " + line;
    if (lines[i].size() > kMostOfALine) text += "…";
  }
  return text;
}

std::size_t most_telling(const std::vector<std::string_view>& wanted) {
  std::size_t best = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (base::trimmed(wanted[i]).size() > base::trimmed(wanted[best]).size()) best = i;
  }
  return best;
}

std::string nearest_text(const std::vector<std::string_view>& lines,
                         const std::vector<std::string_view>& wanted) {
  const std::size_t telling = most_telling(wanted);
  const Near near = nearest(lines, wanted[telling]);
  if (near.percent < kAlike) return "no line of the file is similar; read the file again";
  const std::size_t first = near.line - std::min(near.line, telling + 1);
  return "the nearest lines are:" + numbered_lines(lines, first, wanted.size() + 2);
}

}  // namespace

std::string explain_missing(std::string_view content, std::string_view old_text,
                            std::string_view new_text) {
  content = content.substr(0, kMostBytes);
  if (content.substr(0, 8192).contains('\0')) return "the file is binary";
  const UnixText unix_content(content);
  const UnixText unix_new(new_text);
  const auto lines = lines_of(unix_content.text());
  if (lines.empty()) return "the file is empty";
  const auto wanted = lines_of(old_text);
  // A short text occurs anywhere by chance.
  if (unix_new.text().size() >= 8) {
    const std::size_t at = unix_content.text().find(unix_new.text());
    if (at != std::string::npos) {
      return "the file has new_text already, at line " +
             std::to_string(line_number(unix_content.text(), at)) +
             ": the change may have been made before";
    }
  }
  if (const auto at = find_but_for_space(lines, wanted)) {
    return "the file has it with other white space at the beginnings or ends of lines; copy these "
           "exactly:" +
           numbered_lines(lines, *at, wanted.size());
  }
  return nearest_text(lines, wanted);
}

}  // namespace clever::sandbox::internal
