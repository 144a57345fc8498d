#include "syntax/outline.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "base/utf8.h"
#include "syntax/internal/lines.h"

namespace clever::syntax {
namespace {

using internal::Lines;

constexpr std::uint32_t kMostCommentLines = 6;
constexpr std::uint32_t kMostSignatureLines = 12;
constexpr std::uint32_t kLinesOfText = 12;
constexpr std::size_t kLongestShownLine = 240;
constexpr std::size_t kDeepestKey = 2;
constexpr std::string_view kEllipsis = "…";

std::string counted(std::size_t count, std::string_view one) {
  return std::to_string(count) + " " + std::string(one) + (count == 1 ? "" : "s");
}

bool is_function(SymbolKind kind) {
  return kind == SymbolKind::kFunction || kind == SymbolKind::kMethod;
}

/// The shown symbols, and their depth.
struct Shown {
  std::vector<std::size_t> nesting;
  std::vector<bool> is_shown;
};

// The contents of functions, and the deep parts of data files, are not shown.
Shown shown_of(const std::vector<Symbol>& symbols, const Range& range) {
  Shown result{.nesting = std::vector<std::size_t>(symbols.size()),
               .is_shown = std::vector<bool>(symbols.size())};
  std::vector<bool> inside_function(symbols.size());
  for (std::size_t index = 0; index < symbols.size(); ++index) {
    const Symbol& symbol = symbols[index];
    if (symbol.parent >= 0) {
      const auto parent = static_cast<std::size_t>(symbol.parent);
      result.nesting[index] = result.nesting[parent] + 1;
      inside_function[index] = inside_function[parent] || is_function(symbols[parent].kind);
    }
    const bool too_deep = symbol.kind == SymbolKind::kKey && result.nesting[index] > kDeepestKey;
    result.is_shown[index] = !inside_function[index] && !too_deep &&
                             symbol.range.begin < range.end && range.begin < symbol.range.end;
  }
  return result;
}

// ---- listing ----

std::string listing(const Syntax& syntax, std::string_view path, std::string_view content) {
  return std::string(path) + " (" + std::string(to_string(syntax.language)) + ", " +
         counted(Lines(content).count(), "line") + ", " + counted(content.size(), "byte") + ")\n";
}

// ---- members ----

// Small symbols of one kind share a line.
bool is_small(const Symbol& symbol) {
  switch (symbol.kind) {
    case SymbolKind::kConstant:
    case SymbolKind::kVariable:
    case SymbolKind::kField:
    case SymbolKind::kMacro:
    case SymbolKind::kKey:
      return true;
    default:
      return false;
  }
}

class Members {
 public:
  Members(const Syntax& syntax, const Shown& shown) : symbols_(syntax.symbols), shown_(shown) {}

  std::string run() {
    for (std::size_t index = 0; index < symbols_.size(); ++index) {
      if (shown_.is_shown[index]) {
        add(index);
      }
    }
    return text_.empty() ? text_ : text_ + "\n";
  }

 private:
  void add(std::size_t index) {
    const Symbol& symbol = symbols_[index];
    if (joins_last(index)) {
      text_ += ", ";
    } else {
      text_ += text_.empty() ? "" : "\n";
      text_.append(2 * shown_.nesting[index], ' ');
      text_ += std::string(to_string(symbol.kind)) + " ";
      line_begin_ = text_.size();
    }
    text_ += symbol.name + " " + lines_of(symbol);
    last_ = index;
  }

  [[nodiscard]] bool joins_last(std::size_t index) const {
    constexpr std::size_t kLongestLine = 100;
    const Symbol& symbol = symbols_[index];
    if (text_.empty() || !is_small(symbol) || text_.size() - line_begin_ > kLongestLine) {
      return false;
    }
    return symbols_[last_].kind == symbol.kind && symbols_[last_].parent == symbol.parent;
  }

  static std::string lines_of(const Symbol& symbol) {
    const std::string first = std::to_string(symbol.range.first_line);
    if (is_small(symbol) || symbol.range.first_line == symbol.range.last_line) {
      return first;
    }
    return first + "-" + std::to_string(symbol.range.last_line);
  }

  const std::vector<Symbol>& symbols_;
  const Shown& shown_;
  std::string text_;
  std::size_t line_begin_ = 0;
  std::size_t last_ = 0;
};

// ---- signatures ----

class Signatures {
 public:
  Signatures(std::string_view content, const Range& range)
      : lines_(content),
        range_(lines_.range(range.begin, range.end)),
        wanted_(lines_.count() + 1) {}

  void want(const Symbol& symbol) {
    const std::uint32_t begin = lines_.line_of(symbol.signature_begin);
    const std::uint32_t end =
        lines_.line_of(std::max(symbol.signature_begin + 1, symbol.signature_end) - 1);
    const std::uint32_t comment = lines_.line_of(symbol.range.begin);
    want_lines(comment, std::min(begin, comment + kMostCommentLines));
    want_lines(begin, std::min(end + 1, begin + kMostSignatureLines));
  }

  void want_first_lines() { want_lines(range_.first_line, range_.first_line + kLinesOfText); }

  std::string text() {
    for (std::uint32_t line = range_.first_line; line <= range_.last_line;) {
      if (wanted_[line]) {
        add_line(line++);
      } else {
        line = add_gap(line);
      }
    }
    return std::move(text_);
  }

 private:
  void want_lines(std::uint32_t begin, std::uint32_t end) {
    const std::uint32_t last = std::min(end, range_.last_line + 1);
    for (std::uint32_t line = std::max(begin, range_.first_line); line < last; ++line) {
      wanted_[line] = true;
    }
  }

  void add_line(std::uint32_t line) {
    const std::string_view whole = lines_.text(line);
    const std::string_view part = base::utf8_prefix(whole, kLongestShownLine);
    text_ += std::string(part) + (part.size() < whole.size() ? std::string(kEllipsis) : "") + "\n";
  }

  // Returns the line after the gap.
  std::uint32_t add_gap(std::uint32_t first) {
    std::uint32_t end = first;
    std::uint32_t last_text = 0;
    std::uint32_t left_out = 0;
    for (; end <= range_.last_line && !wanted_[end]; ++end) {
      if (!lines_.blank(end)) {
        last_text = end;
        ++left_out;
      }
    }
    if (left_out == 1) {
      add_line(last_text);  // as short as the mark for an omission
    } else if (left_out > 1) {
      const std::string_view text = lines_.text(last_text);
      text_ += std::string(text.substr(0, text.find_first_not_of(" \t"))) + std::string(kEllipsis) +
               " " + counted(end - first, "line") + "\n";
    }
    return end;
  }

  Lines lines_;
  Range range_;
  std::vector<bool> wanted_;
  std::string text_;
};

std::string signatures(const Syntax& syntax, std::string_view content, const Shown& shown,
                       const Range& range) {
  Signatures result(content, range);
  bool any = false;
  for (std::size_t index = 0; index < syntax.symbols.size(); ++index) {
    if (shown.is_shown[index]) {
      result.want(syntax.symbols[index]);
      any = true;
    }
  }
  if (!any) {
    result.want_first_lines();
  }
  return result.text();
}

Range within(const Range& range, std::string_view content) {
  const auto size = static_cast<std::uint32_t>(content.size());
  if (range.begin >= range.end) {
    return {.begin = 0, .end = size};
  }
  return {.begin = std::min(range.begin, size), .end = std::min(range.end, size)};
}

}  // namespace

std::string_view to_string(Depth depth) noexcept {
  switch (depth) {
    case Depth::kListing:
      return "listing";
    case Depth::kMembers:
      return "members";
    case Depth::kSignatures:
      return "signatures";
    case Depth::kFull:
      break;
  }
  return "full";
}

std::string outline(const Syntax& syntax, std::string_view path, std::string_view content,
                    Depth depth, const Range& range) {
  const Range part = within(range, content);
  if (depth == Depth::kFull) {
    return std::string(content.substr(part.begin, part.end - part.begin));
  }
  if (depth == Depth::kListing || part.begin == part.end) {
    return listing(syntax, path, content);
  }
  const Shown shown = shown_of(syntax.symbols, part);
  if (depth == Depth::kSignatures) {
    return signatures(syntax, content, shown, part);
  }
  const std::string members = Members(syntax, shown).run();
  return members.empty() ? listing(syntax, path, content) : members;
}

}  // namespace clever::syntax
