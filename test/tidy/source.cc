#include "tidy/source.h"

#include <cctype>

namespace clever::tidy {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Source run() {
    while (position_ < text_.size()) step();
    source_.has_code.resize(static_cast<std::size_t>(line_) + 1);
    for (const Token& token : source_.tokens) {
      source_.has_code[static_cast<std::size_t>(token.line)] = true;
    }
    for (const Include& include : source_.includes) {
      source_.has_code[static_cast<std::size_t>(include.line)] = true;
    }
    return std::move(source_);
  }

 private:
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return position_ + ahead < text_.size() ? text_[position_ + ahead] : '\0';
  }
  [[nodiscard]] bool at(std::string_view expected) const {
    return text_.substr(position_).starts_with(expected);
  }
  void advance() {
    if (text_[position_++] == '\n') ++line_;
  }
  void emit(TokenKind kind, std::string text, int line) {
    source_.tokens.push_back({kind, std::move(text), line, in_directive_});
  }

  void step() {
    const char c = peek();
    if (c == '\n') {
      end_line();
    } else if (c == '\\' && peek(1) == '\n') {
      position_ += 2;
      ++line_;
    } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      advance();
    } else if (at("//")) {
      line_comment();
    } else if (at("/*")) {
      block_comment();
    } else if (c == '#' && !line_has_token_) {
      directive();
    } else {
      line_has_token_ = true;
      token();
    }
  }

  void end_line() {
    advance();
    line_has_token_ = false;
    in_directive_ = false;
  }

  void add_comment(std::string_view text) {
    std::string& comment = source_.comments[line_];
    if (!comment.empty()) comment += ' ';
    comment += text;
  }

  void line_comment() {
    const std::size_t end = std::min(text_.find('\n', position_), text_.size());
    add_comment(text_.substr(position_ + 2, end - position_ - 2));
    position_ = end;
  }

  void block_comment() {
    position_ += 2;
    std::size_t begin = position_;
    while (position_ < text_.size() && !at("*/")) {
      if (peek() == '\n') {
        add_comment(text_.substr(begin, position_ - begin));
        begin = position_ + 1;
      }
      advance();
    }
    add_comment(text_.substr(begin, position_ - begin));
    position_ = std::min(position_ + 2, text_.size());
  }

  void directive() {
    const int line = line_;
    line_has_token_ = true;
    in_directive_ = true;
    ++position_;
    while (peek() == ' ' || peek() == '\t') ++position_;
    const std::string name = word();
    if (name == "include") {
      include(line);
    } else {
      emit(TokenKind::kDirective, name, line);
    }
  }

  void include(int line) {
    while (peek() == ' ' || peek() == '\t') ++position_;
    const char open = peek();
    if (open != '"' && open != '<') return;
    const std::size_t end = text_.find_first_of(open == '"' ? "\"\n" : ">\n", position_ + 1);
    if (end == std::string_view::npos) return;
    source_.includes.push_back(
        {std::string(text_.substr(position_ + 1, end - position_ - 1)), open == '"', line});
    position_ = text_[end] == '\n' ? end : end + 1;
  }

  std::string word() {
    const std::size_t begin = position_;
    while (position_ < text_.size() && is_word(peek())) ++position_;
    return std::string(text_.substr(begin, position_ - begin));
  }

  void token() {
    const int line = line_;
    const char c = peek();
    if (c == '"' || c == '\'') {
      literal(c);
      emit(TokenKind::kLiteral, "", line);
    } else if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
      emit(TokenKind::kNumber, number(), line);
    } else if (is_word(c)) {
      identifier(line);
    } else if (at("::") || at("->")) {
      emit(TokenKind::kPunctuation, std::string(text_.substr(position_, 2)), line);
      position_ += 2;
    } else {
      emit(TokenKind::kPunctuation, std::string(1, c), line);
      advance();
    }
  }

  // 1'000 and 1e5 are numbers: the apostrophe opens no character literal.
  std::string number() {
    const std::size_t begin = position_;
    while (is_word(peek()) || peek() == '.' || (peek() == '\'' && is_word(peek(1)))) ++position_;
    return std::string(text_.substr(begin, position_ - begin));
  }

  void identifier(int line) {
    std::string name = word();
    const bool raw = name.ends_with('R') && name.size() <= 3 && peek() == '"';
    const bool prefix = name == "u8" || name == "u" || name == "U" || name == "L";
    if (raw) {
      raw_string();
      emit(TokenKind::kLiteral, "", line);
    } else if (prefix && (peek() == '"' || peek() == '\'')) {
      literal(peek());
      emit(TokenKind::kLiteral, "", line);
    } else {
      emit(TokenKind::kIdentifier, std::move(name), line);
    }
  }

  void literal(char quote) {
    advance();
    while (position_ < text_.size() && peek() != quote && peek() != '\n') {
      if (peek() == '\\') advance();
      if (position_ < text_.size()) advance();
    }
    if (peek() == quote) ++position_;
  }

  void raw_string() {
    const std::size_t open = text_.find('(', position_);
    if (open == std::string_view::npos) {
      position_ = text_.size();
      return;
    }
    const std::string close =
        ")" + std::string(text_.substr(position_ + 1, open - position_ - 1)) + "\"";
    while (position_ < text_.size() && !at(close)) advance();
    position_ = std::min(position_ + close.size(), text_.size());
  }

  std::string_view text_;
  std::size_t position_ = 0;
  int line_ = 1;
  bool line_has_token_ = false;
  bool in_directive_ = false;
  Source source_;
};

}  // namespace

std::string Source::comment_for(int line) const {
  std::string found;
  if (const auto here = comments.find(line); here != comments.end()) found = here->second;
  for (int above = line - 1; above > 0 && !has_code[static_cast<std::size_t>(above)]; --above) {
    const auto comment = comments.find(above);
    if (comment == comments.end()) break;
    found.insert(0, comment->second + " ");
  }
  return found;
}

Source read_source(std::string_view text) { return Lexer(text).run(); }

}  // namespace clever::tidy
