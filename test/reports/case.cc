#include "reports/case.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace clever::reports {
namespace {

constexpr std::string_view kNumber = "{number}";
constexpr std::string_view kWord = "{word}";
constexpr std::string_view kText = "{text}";

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::string place(const std::string& file, int line) { return file + ":" + std::to_string(line); }

// How many characters of `text` the placeholder at the front of `pattern` takes, and its own
// length; nothing if there is no placeholder.
struct Taken {
  std::size_t pattern = 0;
  std::size_t text = 0;
};

std::optional<Taken> take(std::string_view pattern, std::string_view text) {
  const auto prefix_of = [&](auto accepts) {
    return static_cast<std::size_t>(std::ranges::find_if_not(text, accepts) - text.begin());
  };
  if (pattern.starts_with(kNumber)) {
    const auto digit = [](char c) { return c >= '0' && c <= '9'; };
    return Taken{kNumber.size(), prefix_of(digit)};
  }
  if (pattern.starts_with(kWord)) {
    return Taken{kWord.size(), prefix_of([](char c) { return c != ' '; })};
  }
  if (pattern.starts_with(kText)) return Taken{kText.size(), text.size()};
  return std::nullopt;
}

bool is_keyword(std::string_view word) {
  constexpr std::array<std::string_view, 3> kKeywords{"Given", "When", "Then"};
  return std::ranges::find(kKeywords, word) != kKeywords.end();
}

}  // namespace

std::optional<Captures> match(std::string_view pattern, std::string_view text) {
  Captures captures;
  while (!pattern.empty()) {
    if (const auto taken = take(pattern, text)) {
      if (taken->text == 0) return std::nullopt;
      captures.emplace_back(text.substr(0, taken->text));
      pattern.remove_prefix(taken->pattern);
      text.remove_prefix(taken->text);
    } else {
      if (text.empty() || text.front() != pattern.front()) return std::nullopt;
      pattern.remove_prefix(1);
      text.remove_prefix(1);
    }
  }
  return text.empty() ? std::optional(std::move(captures)) : std::nullopt;
}

namespace {

class Parser {
 public:
  explicit Parser(const std::string& file) : file_(file) {}

  base::Result<void> line(std::string_view text) {
    ++line_;
    text = trimmed(text);
    if (text.empty() || text.starts_with("#")) return {};
    if (constexpr std::string_view kCase = "Case:"; text.starts_with(kCase)) {
      cases_.push_back({std::string(trimmed(text.substr(kCase.size()))), {}});
      keyword_.clear();
      return {};
    }
    return step(text);
  }

  base::Result<std::vector<Case>> finish() && {
    if (cases_.empty()) return base::invalid_argument(file_ + ": no 'Case:' in this file");
    for (const Case& one : cases_) {
      if (one.steps.empty()) {
        return base::invalid_argument(file_ + ": case '" + one.name + "' has no steps");
      }
    }
    return std::move(cases_);
  }

 private:
  base::Result<void> step(std::string_view text) {
    const auto space = std::min(text.find(' '), text.size());
    const auto word = text.substr(0, space);
    if (is_keyword(word)) {
      keyword_ = word;
    } else if ((word != "And" && word != "But") || keyword_.empty()) {
      return base::invalid_argument(place(file_, line_) + ": '" + std::string(text) +
                                    "' begins with none of Given, When, Then, And, But");
    }
    if (cases_.empty()) {
      return base::invalid_argument(place(file_, line_) + ": a step before the first 'Case:'");
    }
    cases_.back().steps.push_back({line_, keyword_, std::string(trimmed(text.substr(space)))});
    return {};
  }

  const std::string& file_;
  int line_ = 0;
  std::string keyword_;
  std::vector<Case> cases_;
};

}  // namespace

base::Result<std::vector<Case>> parse_cases(const std::string& file, std::string_view text) {
  Parser parser(file);
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    CLEVER_TRY(parser.line(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return std::move(parser).finish();
}

void Steps::add(std::string keyword, std::string pattern, Action action) {
  known_.push_back({std::move(keyword), std::move(pattern), std::move(action)});
}

base::Result<void> Steps::run_step(const Step& step) const {
  for (const Known& known : known_) {
    if (known.keyword != step.keyword) continue;
    if (const auto captures = match(known.pattern, step.text)) return known.action(*captures);
  }
  return base::not_found("no such step: " + step.keyword + " " + step.text);
}

base::Result<void> Steps::run(const std::string& file, const Case& one) const {
  for (const Step& step : one.steps) {
    CLEVER_TRY(run_step(step).context(place(file, step.line) + " (" + one.name + ")"));
  }
  return {};
}

}  // namespace clever::reports
