#include "cli/markdown.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <utility>

#include "base/text.h"
#include "cli/render.h"

namespace clever::cli {
namespace {

constexpr std::string_view kBlanks = " \t";

std::string_view without_indent(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(kBlanks), text.size()));
}

std::size_t run_length(std::string_view text, char mark) {
  return std::min(text.find_first_not_of(mark), text.size());
}

// Returns the fence, "```" or "~~~" or longer; empty if the line is none.
std::string_view fence_of(std::string_view text) {
  if (text.empty() || (text.front() != '`' && text.front() != '~')) return {};
  const std::size_t length = run_length(text, text.front());
  return length >= 3 ? text.substr(0, length) : std::string_view();
}

bool is_rule(std::string_view text) {
  if (text.empty() || (text.front() != '-' && text.front() != '*' && text.front() != '_')) {
    return false;
  }
  const auto marks = std::ranges::count(text, text.front());
  return marks >= 3 && text.find_first_not_of(std::string(1, text.front()) + " ") == text.npos;
}

// Returns the length of a list item's mark ("- ", "12. "); 0 if there is none.
std::size_t item_mark(std::string_view text) {
  if (text.size() >= 2 && (text[0] == '-' || text[0] == '*' || text[0] == '+') && text[1] == ' ') {
    return 2;
  }
  std::size_t at = 0;
  while (at < text.size() && at < 9 && std::isdigit(static_cast<unsigned char>(text[at])) != 0)
    ++at;
  const bool marked =
      at > 0 && at + 1 < text.size() && (text[at] == '.' || text[at] == ')') && text[at + 1] == ' ';
  return marked ? at + 2 : 0;
}

/// The text between two marks within a line.
struct Mark {
  std::string_view text;
  Tone tone;
};
constexpr std::array kMarks{Mark{"``", Tone::kAccent}, Mark{"`", Tone::kAccent},
                            Mark{"**", Tone::kStrong}, Mark{"__", Tone::kStrong}};

// An opening mark has text after it, a closing one has text before it.
std::size_t end_of_marked(std::string_view text, std::size_t begin, std::string_view mark) {
  if (begin >= text.size() || text[begin] == ' ') return std::string_view::npos;
  const std::size_t end = text.find(mark, begin + 1);
  return end != text.npos && text[end - 1] != ' ' ? end : std::string_view::npos;
}

void add_inline(std::string_view text, Tone tone, Line& line) {
  std::string plain;
  const auto flush = [&] {
    if (!plain.empty()) line.push_back({std::exchange(plain, {}), tone});
  };
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '\\' && at + 1 < text.size() && std::ispunct(text[at + 1]) != 0) {
      plain += text[at + 1];
      at += 2;
      continue;
    }
    const auto mark = std::ranges::find_if(
        kMarks, [&](const Mark& each) { return text.substr(at).starts_with(each.text); });
    const bool in_word = at > 0 && std::isalnum(static_cast<unsigned char>(text[at - 1])) != 0;
    const std::size_t begin = mark == kMarks.end() ? 0 : at + mark->text.size();
    const std::size_t end = mark == kMarks.end() || (in_word && mark->text == "__")
                                ? std::string_view::npos
                                : end_of_marked(text, begin, mark->text);
    if (end == std::string_view::npos) {
      plain += text[at++];
      continue;
    }
    flush();
    line.push_back({std::string(text.substr(begin, end - begin)), mark->tone});
    at = end + mark->text.size();
  }
  flush();
}

/// How to read a language's code.
struct CodeStyle {
  /// Separated by spaces, with a space at both ends.
  std::string_view names;
  std::string_view comment;
  std::string_view keywords;
};
constexpr std::string_view kCKeywords =
    " auto bool break case catch char class const constexpr continue default delete do double else "
    "enum explicit extern false final float for friend if inline int long namespace new noexcept "
    "nullptr operator override private protected public return short signed sizeof static struct "
    "switch template this throw true try typedef typename union unsigned using virtual void "
    "volatile while ";
constexpr std::string_view kScriptKeywords =
    " abstract as async await break case catch class const continue default delete do else enum "
    "export extends false final finally for from function if implements import in instanceof "
    "interface let new null of package private protected public readonly return static super "
    "switch this throw throws true try type typeof undefined var void while yield ";
constexpr std::array kStyles{
    CodeStyle{" c cc cpp cxx c++ h hpp ", "//", kCKeywords},
    CodeStyle{" js jsx javascript ts tsx typescript java kotlin ", "//", kScriptKeywords},
    CodeStyle{" go golang ", "//",
              " break case chan const continue default defer else fallthrough false for func go "
              "goto if import interface map nil package range return select struct switch true "
              "type var "},
    CodeStyle{" rs rust ", "//",
              " as async await break const continue crate else enum extern false fn for if impl in "
              "let loop match mod move mut pub ref return self static struct super trait true type "
              "unsafe use where while "},
    CodeStyle{" py python python3 ", "#",
              " and as assert async await break class continue def del elif else except False "
              "finally for from global if import in is lambda None nonlocal not or pass raise "
              "return True try while with yield "},
    CodeStyle{
        " rb ruby ", "#",
        " begin break case class def do else elsif end ensure false for if in module next nil "
        "not or redo require rescue return self then true unless until when while yield "},
    CodeStyle{" sh bash shell zsh console ", "#",
              " case do done elif else esac export fi for function if in local return set then "
              "until while "},
    CodeStyle{" yaml yml toml ini dockerfile make makefile cmake ", "#", " true false null "},
    CodeStyle{" json jsonc ", "//", " true false null "},
    CodeStyle{" sql ", "--",
              " SELECT FROM WHERE INSERT INTO UPDATE DELETE CREATE TABLE JOIN ON AND OR NOT NULL "
              "select from where insert into update delete create table join on and or not null "},
};

const CodeStyle& style_of(std::string_view language) {
  static constexpr CodeStyle kNone{};
  const std::string name = " " + base::lower_case(language) + " ";
  const auto found = std::ranges::find_if(
      kStyles, [&](const CodeStyle& style) { return style.names.find(name) != style.names.npos; });
  return found == kStyles.end() ? kNone : *found;
}

bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::size_t string_end(std::string_view text, std::size_t at) {
  const char quote = text[at];
  for (std::size_t end = at + 1; end < text.size(); ++end) {
    if (text[end] == '\\') {
      ++end;
    } else if (text[end] == quote) {
      return end + 1;
    }
  }
  // Probably an apostrophe, not a string over several lines.
  return quote == '\'' ? at + 1 : text.size();
}

// Returns the next token of a line of code from `at`, and its kind.
std::pair<std::size_t, Tone> next_token(std::string_view text, std::size_t at,
                                        const CodeStyle& style) {
  const bool starts = at == 0 || !in_word(text[at - 1]);
  const bool after_blank = at == 0 || text[at - 1] == ' ';
  if (!style.comment.empty() && text.substr(at).starts_with(style.comment) &&
      (style.comment != "#" || after_blank)) {
    return {text.size(), Tone::kDim};
  }
  if (text[at] == '"' || text[at] == '\'' || text[at] == '`') {
    const std::size_t end = string_end(text, at);
    return {end, end == at + 1 ? Tone::kPlain : Tone::kGood};
  }
  if (!in_word(text[at])) return {at + 1, Tone::kPlain};
  std::size_t end = at;
  while (end < text.size() && in_word(text[end])) ++end;
  const std::string word(text.substr(at, end - at));
  if (starts && std::isdigit(static_cast<unsigned char>(word.front())) != 0) {
    return {end, Tone::kWarn};
  }
  const bool known = starts && style.keywords.find(" " + word + " ") != std::string_view::npos;
  return {end, known ? Tone::kAccent : Tone::kPlain};
}

void add(Line& line, std::string_view text, Tone tone) {
  if (!line.empty() && line.back().tone == tone) {
    line.back().text += text;
  } else {
    line.push_back({std::string(text), tone});
  }
}

}  // namespace

Line code_line(std::string_view text, std::string_view language) {
  const CodeStyle& style = style_of(language);
  Line line;
  for (std::size_t at = 0; at < text.size();) {
    const auto [end, tone] = next_token(text, at, style);
    add(line, text.substr(at, end - at), tone);
    at = end;
  }
  return line;
}

Line MarkdownLines::line(std::string_view text) {
  const std::string_view rest = without_indent(text);
  const std::string_view indent = text.substr(0, text.size() - rest.size());
  const std::string_view fence = fence_of(rest);
  if (!fence_.empty()) {
    const bool ends = fence.starts_with(fence_) && rest.size() == fence.size();
    if (ends) fence_.clear();
    return ends ? Line{{std::string(text), Tone::kDim}} : code_line(text, language_);
  }
  if (!fence.empty()) {
    fence_ = fence;
    const std::string_view info = without_indent(rest.substr(fence.size()));
    language_ = info.substr(0, std::min(info.find_first_of(" {,"), info.size()));
    return {{std::string(text), Tone::kDim}};
  }
  const std::size_t level = run_length(rest, '#');
  if (level >= 1 && level <= 6 && level < rest.size() && rest[level] == ' ') {
    return {{std::string(rest.substr(level + 1)), Tone::kStrong}};
  }
  if (is_rule(rest)) {
    std::string rule;
    for (int i = 0; i < 20; ++i) rule += unicode_ ? "─" : "-";
    return {{std::move(rule), Tone::kDim}};
  }
  Line line;
  if (!indent.empty()) line.push_back({std::string(indent)});
  if (rest.starts_with("> ")) {
    line.push_back({unicode_ ? "│ " : "> ", Tone::kDim});
    add_inline(rest.substr(2), Tone::kDim, line);
    return line;
  }
  const std::size_t mark = item_mark(rest);
  if (mark > 0) {
    const bool numbered = std::isdigit(static_cast<unsigned char>(rest.front())) != 0;
    line.push_back({numbered   ? std::string(rest.substr(0, mark))
                    : unicode_ ? "• "
                               : "* ",
                    Tone::kAccent});
  }
  add_inline(rest.substr(mark), Tone::kPlain, line);
  return line;
}

std::vector<Line> broken(const Line& line, std::size_t width) {
  std::vector<Line> rows(1);
  std::size_t used = 0;
  std::size_t indent = 0;
  bool only_blanks = true;
  const auto next_row = [&] {
    if (!rows.back().empty()) {
      std::string& end = rows.back().back().text;
      end.erase(end.find_last_not_of(' ') + 1);
    }
    rows.emplace_back();
    used = indent < width / 2 ? indent : 0;
    if (used > 0) rows.back().push_back({std::string(used, ' ')});
  };
  for (const Span& span : line) {
    const std::string text = printable(span.text);
    for (std::size_t at = 0; at < text.size();) {
      // A word with the blanks before it.
      const bool blank = text[at] == ' ';
      std::size_t end = blank ? text.find_first_not_of(' ', at) : text.find(' ', at);
      end = std::min(end, text.size());
      std::string piece = text.substr(at, end - at);
      at = end;
      const std::size_t wide = columns(piece);
      if (only_blanks && blank) indent += wide;
      only_blanks = only_blanks && blank;
      if (width > 0 && used + wide > width) {
        if (blank) {
          next_row();
          continue;
        }
        if (used > indent && wide <= width - std::min(indent, width)) next_row();
      }
      // Wider than a row: cut at the end of the row.
      for (std::size_t from = 0; from < piece.size();) {
        std::size_t to = from;
        static_cast<void>(next_code_point(piece, to));
        const std::string_view character = std::string_view(piece).substr(from, to - from);
        const std::size_t columns_of_it = columns(character);
        if (width > 0 && used > 0 && used + columns_of_it > width) next_row();
        add(rows.back(), character, span.tone);
        used += columns_of_it;
        from = to;
      }
    }
  }
  return rows;
}

std::vector<std::string> markdown_rows(const Markdown& markdown, const Look& look) {
  MarkdownLines lines(look.unicode);
  const std::string indent(markdown.indent, ' ');
  const std::size_t width =
      look.width == 0
          ? 0
          : std::max<std::size_t>(look.width - std::min(markdown.indent, look.width), 20);
  std::vector<std::string> rows;
  for (const std::string_view text : base::split(base::trimmed(markdown.text, "\r\n"), '\n')) {
    std::string expanded;
    for (const char c : text) expanded += c == '\t' ? "    " : std::string(1, c);
    for (const Line& row : broken(lines.line(expanded), width)) {
      rows.push_back(indent + painted(row, look));
    }
  }
  return rows;
}

}  // namespace clever::cli
