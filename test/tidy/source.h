#pragma once
// C++ source text as the rules see it: tokens without comments and without the inside of literals,
// the includes, and the comments by line.
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace clever::tidy {

enum class TokenKind : std::uint8_t { kIdentifier, kNumber, kLiteral, kPunctuation, kDirective };

struct Token {
  TokenKind kind;
  /// "::" and "->" are one token, other punctuation is a character. A literal's text is "". A
  /// directive's text is its name ("define", "pragma"); the tokens after it have in_directive set.
  std::string text;
  int line;
  bool in_directive;

  [[nodiscard]] bool is(std::string_view expected) const { return text == expected; }
};

struct Include {
  std::string target;
  bool quoted;
  int line;
};

/// One file, taken apart. A value.
struct Source {
  std::vector<Token> tokens;
  std::vector<Include> includes;
  /// Text of the comments by line, without their marks; a block comment is spread over its lines.
  std::map<int, std::string> comments;
  /// Lines on which there is a token.
  std::vector<bool> has_code;

  /// The comment on this line, or the ones on the lines directly above it that hold nothing else.
  [[nodiscard]] std::string comment_for(int line) const;
};

[[nodiscard]] Source read_source(std::string_view text);

}  // namespace clever::tidy
