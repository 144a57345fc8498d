#include <array>

#include "syntax/internal/handlers.h"
#include "syntax/internal/rules.h"

namespace clever::syntax::internal {
namespace {

// Only this grammar has a field with this name for the content of a heading.
TSNode heading_text(const Walker& walker, TSNode heading) {
  const std::uint32_t count = named_child_count(heading);
  for (std::uint32_t index = 0; index < count; ++index) {
    const TSNode each = named_child(heading, index);
    if (walker.is(each, "inline") || walker.is(each, "paragraph")) {
      return each;
    }
  }
  return TSNode{};
}

void section(Walker& walker, TSNode node) {
  const TSNode heading = named_child(node, 0);
  if (walker.is(heading, "atx_heading")) {
    walker.define({.node = node,
                   .kind = SymbolKind::kSection,
                   .name = heading_text(walker, heading),
                   .value = heading,
                   .opens = Opens::kModule});
  }
}

// A heading underlined with = or -: the grammar does not nest the text below it.
void underlined_heading(Walker& walker, TSNode node) {
  walker.define({.node = node, .kind = SymbolKind::kSection, .name = heading_text(walker, node)});
}

void link_to(Walker& walker, std::string_view target) {
  target = target.substr(0, target.find_first_of(" #?\t\n"));
  target = unquoted(target);
  if (target.find("://") == std::string_view::npos && !target.starts_with("mailto:")) {
    walker.import(target);
  }
}

void names_in_code(Walker& walker, std::string_view code, std::uint32_t line) {
  for (std::size_t at = 0; at < code.size();) {
    const std::size_t begin = at;
    while (at < code.size() && is_word_character(code[at])) {
      ++at;
    }
    if (at - begin > 1 && (code[begin] < '0' || code[begin] > '9')) {
      walker.mention(code.substr(begin, at - begin), ReferenceKind::kOther, line);
    }
    at += at == begin ? 1 : 0;
  }
}

// `names` in code, and [links](to/files.md).
void running_text(Walker& walker, TSNode node) {
  constexpr std::size_t kLongestCode = 80;
  const std::string_view text = walker.text(node);
  const std::uint32_t line = ts_node_start_point(node).row + 1;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '`') {
      const std::size_t end = text.substr(0, at + kLongestCode).find('`', at + 1);
      if (end != std::string_view::npos) {
        names_in_code(walker, text.substr(at + 1, end - at - 1), line);
        at = end;
      }
    } else if (text.substr(at).starts_with("](")) {
      const std::size_t end = text.find(')', at);
      if (end != std::string_view::npos) {
        link_to(walker, text.substr(at + 2, end - at - 2));
        at = end;
      }
    }
  }
}

void link_destination(Walker& walker, TSNode node) { link_to(walker, walker.text(node)); }

constexpr std::array kMarkdownRules{
    Rule{"section", &section},
    Rule{"setext_heading", &underlined_heading},
    Rule{"inline", &running_text},
    Rule{"link_destination", &link_destination},
};

}  // namespace

std::span<const Rule> markdown_rules() noexcept { return kMarkdownRules; }

}  // namespace clever::syntax::internal
