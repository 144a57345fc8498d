#pragma once
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "syntax/language.h"
#include "syntax/outline.h"
#include "syntax/parser.h"

namespace clever::syntax::internal {

inline bool lies_in(const Range& inner, const Range& outer) {
  return outer.begin <= inner.begin && inner.end <= outer.end &&
         outer.first_line <= inner.first_line && inner.last_line <= outer.last_line;
}

inline Range whole(std::string_view content) {
  const auto newlines = static_cast<std::uint32_t>(std::ranges::count(content, '\n'));
  return {.begin = 0,
          .end = static_cast<std::uint32_t>(content.size()),
          .first_line = 1,
          .last_line = newlines + 1};
}

inline bool is_sound(const Range& range, std::string_view content) {
  return range.begin <= range.end && range.first_line <= range.last_line &&
         lies_in(range, whole(content));
}

inline std::string broken_by_symbols(const Syntax& syntax, std::string_view content) {
  for (std::size_t index = 0; index < syntax.symbols.size(); ++index) {
    const Symbol& symbol = syntax.symbols[index];
    if (!is_sound(symbol.range, content) || symbol.name.empty()) {
      return "a symbol lies in the text and has a name";
    }
    if (symbol.signature_begin > symbol.signature_end || symbol.signature_end > content.size()) {
      return "a signature lies in the text";
    }
    if (index > 0 && syntax.symbols[index - 1].range.begin > symbol.range.begin) {
      return "symbols are in the order of their beginnings";
    }
    const auto parent = static_cast<std::size_t>(std::max(symbol.parent, 0));
    if (symbol.parent >= 0 &&
        (parent >= index || !lies_in(symbol.range, syntax.symbols[parent].range))) {
      return "a parent comes before what it holds";
    }
  }
  return {};
}

inline std::string broken_by_references(const Syntax& syntax) {
  const auto key = [](const Reference& each) { return std::pair(each.name, each.kind); };
  const auto same =
      std::ranges::adjacent_find(syntax.references, std::ranges::greater_equal{}, key);
  return same == syntax.references.end() ? "" : "references are ordered, each once";
}

inline std::string broken_by_chunks(const Syntax& syntax, std::string_view content,
                                    std::size_t largest) {
  std::size_t at = 0;
  for (const Chunk& chunk : chunks(syntax, content, largest)) {
    if (chunk.range.begin != at || chunk.range.end <= at || !is_sound(chunk.range, content)) {
      return "chunks follow each other";
    }
    if (chunk.range.end - at > largest) {
      return "no chunk is too large";
    }
    if (chunk.symbol >= static_cast<std::int32_t>(syntax.symbols.size())) {
      return "a chunk names a symbol";
    }
    at = chunk.range.end;
  }
  return at == content.size() ? "" : "chunks cover the text";
}

/// Parses, splits and outlines a text, and names the first broken promise of these functions; empty
/// if none. For the fuzzer and the property tests.
[[nodiscard]] inline std::string broken_promise(Language language, std::string_view content) {
  const Syntax syntax = Parser().parse(language, content);
  std::string broken = broken_by_symbols(syntax, content);
  broken += broken_by_references(syntax);
  for (const std::size_t largest : {std::size_t{16}, std::size_t{200}, std::size_t{2048}}) {
    broken += broken_by_chunks(syntax, content, largest);
  }
  for (const Depth depth : {Depth::kListing, Depth::kMembers, Depth::kSignatures}) {
    if (outline(syntax, "path", content, depth).empty() && !content.empty() &&
        content.find_first_not_of(" \t\r\n\f\v") != std::string_view::npos) {
      broken += "an outline shows something";
    }
  }
  return broken;
}

}  // namespace clever::syntax::internal
