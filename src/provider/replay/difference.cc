#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/utf8.h"
#include "provider/replay/cassette.h"

namespace clever::provider {
namespace {

using nlohmann::json;

// Limits on what is compared and shown.
constexpr std::size_t kMostLines = 1500;
constexpr std::size_t kMostShown = 40;
constexpr std::size_t kContext = 1;
constexpr std::size_t kWidth = 160;

using Lines = std::vector<std::string>;

Lines lines_of(std::string_view canonical) {
  const json value = json::parse(canonical, nullptr, /*allow_exceptions=*/false);
  const std::string text = value.is_discarded()
                               ? std::string(canonical)
                               : value.dump(2, ' ', false, json::error_handler_t::replace);
  Lines lines;
  std::size_t begin = 0;
  while (begin < text.size() && lines.size() < kMostLines) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

// Cuts the common beginning of two lines, so that the difference is visible.
std::string shown(char mark, const std::string& line, std::size_t skip) {
  std::string_view rest = line;
  const bool skipped = skip > kWidth / 2;
  if (skipped) {
    std::size_t from = skip - kWidth / 4;
    while (from > 0 && (static_cast<unsigned char>(line[from]) & 0xC0U) == 0x80) --from;
    rest.remove_prefix(from);
  }
  const std::string_view cut = base::utf8_prefix(rest, kWidth);
  return std::string(1, mark) + " " + (skipped ? "…" : "") + std::string(cut) +
         (cut.size() < rest.size() ? "…" : "") + "\n";
}

std::size_t common_start(const std::string& a, const std::string& b) {
  return static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

struct Edit {
  char mark;
  std::string line;
};

// The longest common subsequence of the lines between equal beginnings and ends.
class Comparison {
 public:
  Comparison(Lines recorded, Lines asked) : a_(std::move(recorded)), b_(std::move(asked)) {}

  std::vector<Edit> edits() {
    const std::size_t columns = b_.size() + 1;
    std::vector<std::uint16_t> longest((a_.size() + 1) * columns);
    for (std::size_t i = a_.size(); i-- > 0;) {
      for (std::size_t j = b_.size(); j-- > 0;) {
        const auto below = longest[(i + 1) * columns + j];
        const auto right = longest[i * columns + j + 1];
        const auto diagonal = static_cast<std::uint16_t>(longest[(i + 1) * columns + j + 1] + 1);
        longest[i * columns + j] = a_[i] == b_[j] ? diagonal : std::max(below, right);
      }
    }
    std::vector<Edit> edits;
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < a_.size() || j < b_.size()) {
      if (i < a_.size() && j < b_.size() && a_[i] == b_[j]) {
        edits.push_back({' ', a_[i++]});
        ++j;
      } else if (j >= b_.size() || (i < a_.size() && longest[(i + 1) * columns + j] >=
                                                         longest[i * columns + j + 1])) {
        edits.push_back({'-', a_[i++]});
      } else {
        edits.push_back({'+', b_[j++]});
      }
    }
    return edits;
  }

 private:
  const Lines a_;
  const Lines b_;
};

bool near_change(const std::vector<Edit>& edits, std::size_t at) {
  const std::size_t from = at < kContext ? 0 : at - kContext;
  const std::size_t to = std::min(edits.size() - 1, at + kContext);
  for (std::size_t i = from; i <= to; ++i) {
    if (edits[i].mark != ' ') return true;
  }
  return false;
}

// Returns the length of the common beginning of a line and its replacement, which need not be
// shown.
std::size_t skip_of(const std::vector<Edit>& edits, std::size_t at) {
  const bool next = at + 1 < edits.size() && edits[at].mark == '-' && edits[at + 1].mark == '+';
  const bool before = at > 0 && edits[at].mark == '+' && edits[at - 1].mark == '-';
  if (next) return common_start(edits[at].line, edits[at + 1].line);
  if (before) return common_start(edits[at - 1].line, edits[at].line);
  return 0;
}

}  // namespace

std::string request_difference(std::string_view recorded, std::string_view asked) {
  const std::vector<Edit> edits = Comparison(lines_of(recorded), lines_of(asked)).edits();
  std::string text;
  std::size_t count = 0;
  for (std::size_t i = 0; i < edits.size(); ++i) {
    if (!near_change(edits, i)) continue;
    if (++count > kMostShown) return text + "… and more\n";
    text += shown(edits[i].mark, edits[i].line, skip_of(edits, i));
  }
  return text;
}

}  // namespace clever::provider
