#include "sandbox/workspace/internal/text_search.h"

#include <re2/re2.h>

#include <algorithm>
#include <optional>

#include "base/utf8.h"

namespace clever::sandbox::internal {
namespace {

constexpr std::size_t kLongestLine = 400;
constexpr std::int64_t kMostRegexMemory = std::int64_t{8} << 20U;

struct Line {
  std::size_t begin = 0;
  std::size_t end = 0;  // where its line end, or the text's end, is
};

Line line_around(std::string_view text, std::size_t at) {
  const std::size_t before = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
  return {before == std::string_view::npos ? 0 : before + 1,
          std::min(text.find('\n', at), text.size())};
}

std::string_view without_return(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// Shortens a very long line to the part around the match.
std::string shortened_line(std::string_view line, std::size_t found_at) {
  if (line.size() <= kLongestLine) return base::to_valid_utf8(line);
  const std::size_t first = found_at < kLongestLine / 2 ? 0 : found_at - kLongestLine / 2;
  std::string text = first > 0 ? "…" : "";
  text += base::to_valid_utf8(line.substr(first, kLongestLine));
  if (first + kLongestLine < line.size()) text += "…";
  return text;
}

// Collects lines and counts their numbers.
class Lines {
 public:
  Lines(std::string_view text, std::size_t most) : text_(text), most_(most) {}

  void add(const Line& line, std::size_t found_at) {
    number_ += static_cast<std::uint64_t>(
        std::count(text_.begin() + static_cast<std::ptrdiff_t>(counted_),
                   text_.begin() + static_cast<std::ptrdiff_t>(line.begin), '\n'));
    counted_ = line.begin;
    const auto whole = without_return(text_.substr(line.begin, line.end - line.begin));
    found_.push_back({number_, shortened_line(whole, found_at - line.begin)});
  }
  [[nodiscard]] bool full() const { return found_.size() >= most_; }
  std::vector<FoundLine> take() { return std::move(found_); }

 private:
  std::string_view text_;
  std::size_t most_;
  std::size_t counted_ = 0;
  std::uint64_t number_ = 1;
  std::vector<FoundLine> found_;
};

class PlainSearch final : public TextSearch {
 public:
  explicit PlainSearch(std::string pattern) : pattern_(std::move(pattern)), finder_(pattern_) {}
  PlainSearch(const PlainSearch&) = delete;
  PlainSearch& operator=(const PlainSearch&) = delete;

  [[nodiscard]] std::vector<FoundLine> lines(std::string_view text,
                                             std::size_t most) const override {
    if (is_binary(text)) return {};
    Lines found(text, most);
    std::size_t at = 0;
    while (!found.full() && (at = finder_.find(text, at)) != std::string_view::npos) {
      const Line line = line_around(text, at);
      found.add(line, at);
      if (line.end >= text.size()) break;
      at = line.end + 1;
    }
    return found.take();
  }

 private:
  const std::string pattern_;
  const LiteralFinder finder_;
};

class RegexSearch final : public TextSearch {
 public:
  RegexSearch(const std::string& pattern, const RE2::Options& options, std::string literal)
      : regex_("(?m)" + pattern, options), literal_(std::move(literal)), finder_(literal_) {}
  RegexSearch(const RegexSearch&) = delete;
  RegexSearch& operator=(const RegexSearch&) = delete;

  [[nodiscard]] const RE2& regex() const { return regex_; }

  [[nodiscard]] std::vector<FoundLine> lines(std::string_view text,
                                             std::size_t most) const override {
    if (is_binary(text)) return {};
    Lines found(text, most);
    // "$" must match before "\r\n" too, which needs a search line by line.
    const bool by_line = !literal_.empty() || text.contains("\r\n");
    std::size_t at = 0;
    while (!found.full() && at <= text.size()) {
      const auto line = by_line ? next_line(text, at) : next_match(text, at);
      if (!line) break;
      at = line->line.end + 1;
      if (line->found_at) found.add(line->line, *line->found_at);
      if (line->line.end >= text.size()) break;
    }
    return found.take();
  }

 private:
  struct Candidate {
    Line line;
    std::optional<std::size_t> found_at;
  };

  [[nodiscard]] std::optional<Candidate> next_match(std::string_view text, std::size_t from) const {
    const re2::StringPiece whole(text.data(), text.size());
    re2::StringPiece match;
    if (!regex_.Match(whole, from, text.size(), RE2::UNANCHORED, &match, 1)) return std::nullopt;
    const auto at = static_cast<std::size_t>(match.data() - text.data());
    // An empty match after the last line end is in no line.
    if (at == text.size() && (text.empty() || text.ends_with('\n'))) return std::nullopt;
    return Candidate{line_around(text, at), at};
  }

  [[nodiscard]] std::optional<Candidate> next_line(std::string_view text, std::size_t from) const {
    const std::size_t near = finder_.find(text, from);
    if (near == std::string_view::npos || near >= text.size()) return std::nullopt;
    const Line line = line_around(text, near);
    const auto whole = without_return(text.substr(line.begin, line.end - line.begin));
    re2::StringPiece match;
    Candidate candidate{line, std::nullopt};
    if (regex_.Match(re2::StringPiece(whole.data(), whole.size()), 0, whole.size(), RE2::UNANCHORED,
                     &match, 1)) {
      candidate.found_at = static_cast<std::size_t>(match.data() - text.data());
    }
    return candidate;
  }

  const RE2 regex_;
  const std::string literal_;
  const LiteralFinder finder_;
};

RE2::Options regex_options(bool case_sensitive, bool utf8) {
  RE2::Options options;
  options.set_case_sensitive(case_sensitive);
  options.set_never_nl(true);
  options.set_log_errors(false);
  options.set_max_mem(kMostRegexMemory);
  if (!utf8) options.set_encoding(RE2::Options::EncodingLatin1);
  return options;
}

base::Result<std::shared_ptr<const TextSearch>> regex_search(const std::string& pattern,
                                                             bool case_sensitive) {
  const RE2::Options options = regex_options(case_sensitive, base::is_utf8(pattern));
  auto search = std::make_shared<RegexSearch>(
      pattern, options, case_sensitive ? required_literal(pattern) : std::string());
  if (!search->regex().ok()) {
    return base::invalid_argument("the pattern is not a regular expression for RE2: " +
                                  search->regex().error());
  }
  return std::shared_ptr<const TextSearch>(std::move(search));
}

}  // namespace

bool is_binary(std::string_view text) { return text.substr(0, 8192).contains('\0'); }

base::Result<std::shared_ptr<const TextSearch>> TextSearch::of(std::string_view pattern, bool regex,
                                                               bool case_sensitive) {
  if (pattern.empty()) return base::invalid_argument("the pattern to search for is empty");
  if (!regex && pattern.contains('\n')) {
    return base::invalid_argument("the pattern has several lines; search for one line");
  }
  if (regex) return regex_search(std::string(pattern), case_sensitive);
  if (!case_sensitive) {
    return regex_search(RE2::QuoteMeta(re2::StringPiece(pattern.data(), pattern.size())), false);
  }
  return std::shared_ptr<const TextSearch>(std::make_shared<PlainSearch>(std::string(pattern)));
}

}  // namespace clever::sandbox::internal
