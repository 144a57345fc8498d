#pragma once
// Small questions that rules ask of token sequences.
#include <initializer_list>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tidy/source.h"

namespace clever::tidy {

using Names = std::set<std::string, std::less<>>;
using Tokens = std::span<const Token>;

[[nodiscard]] inline bool matches(Tokens tokens, std::size_t at,
                                  std::initializer_list<std::string_view> expected) {
  if (at + expected.size() > tokens.size()) return false;
  for (const std::string_view text : expected) {
    if (!tokens[at++].is(text)) return false;
  }
  return true;
}

[[nodiscard]] inline bool contains(Tokens tokens, std::string_view text) {
  for (const Token& token : tokens) {
    if (token.is(text)) return true;
  }
  return false;
}

/// The place after the bracket that closes the one at `at`; the end if none does.
[[nodiscard]] inline std::size_t after_closing(Tokens tokens, std::size_t at, std::string_view open,
                                               std::string_view close) {
  int depth = 0;
  for (; at < tokens.size(); ++at) {
    if (tokens[at].is(open)) ++depth;
    if (tokens[at].is(close) && --depth == 0) return at + 1;
  }
  return at;
}

}  // namespace clever::tidy
