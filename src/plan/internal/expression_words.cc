#include "plan/internal/expression_words.h"

#include <array>
#include <charconv>

#include "base/utf8.h"
#include "plan/internal/expression_tree.h"

namespace clever::plan {
namespace {

using WordKind = ExpressionWord::Kind;

constexpr std::size_t kMostOfWord = 40;

bool is_digit(char one) { return one >= '0' && one <= '9'; }
bool begins_name(char one) {
  return (one >= 'a' && one <= 'z') || (one >= 'A' && one <= 'Z') || one == '_';
}
bool continues_name(char one) { return begins_name(one) || is_digit(one) || one == '.'; }
bool is_blank_character(char one) {
  return one == ' ' || one == '\t' || one == '\n' || one == '\r';
}

std::string cure_of_sign(char one) {
  switch (one) {
    case '=':
      return "; write == to compare";
    case '&':
      return "; write and";
    case '|':
      return "; write or";
    case '!':
      return "; write not, or != to compare";
    case '$':
      return "; write args.NAME instead of ${NAME}";
    default:
      return "; an expression is made of names, numbers, texts in quotes and operators";
  }
}

}  // namespace

base::Result<ExpressionWord> ExpressionWords::next() {
  while (at_ < text_.size() && is_blank_character(text_[at_])) ++at_;
  if (at_ == text_.size()) return ExpressionWord{.column = column()};
  const char first = text_[at_];
  if (is_digit(first)) return number();
  if (first == '"' || first == '\'') return quoted();
  if (begins_name(first)) return name();
  return sign();
}

base::Result<ExpressionWord> ExpressionWords::number() {
  ExpressionWord word{.kind = WordKind::kNumber, .column = column()};
  const char* const begin = text_.data() + at_;
  const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), word.number);
  word.text.assign(begin, end);
  at_ += word.text.size();
  if (error != std::errc()) {
    return expression_error(word.column, "the number is too large; at most " +
                                             std::to_string(INT64_MAX) + " is possible");
  }
  const bool goes_on = at_ < text_.size() && continues_name(text_[at_]);
  if (goes_on) {
    return expression_error(column(), "only whole numbers are possible; put a text in quotes");
  }
  return word;
}

base::Result<ExpressionWord> ExpressionWords::quoted() {
  ExpressionWord word{.kind = WordKind::kText, .column = column()};
  const char quote = text_[at_++];
  for (; at_ < text_.size(); ++at_) {
    const char one = text_[at_];
    if (one == quote) {
      ++at_;
      return word;
    }
    if (one != '\\') {
      word.text += one;
      continue;
    }
    constexpr std::string_view kEscapes = "\\\"'nt";
    constexpr std::string_view kMeant = "\\\"'\n\t";
    const std::size_t which =
        ++at_ < text_.size() ? kEscapes.find(text_[at_]) : std::string_view::npos;
    if (which == std::string_view::npos) {
      return expression_error(at_, R"(after \ only \, ", ', n or t can stand; write \\ for \)");
    }
    word.text += kMeant[which];
  }
  return expression_error(word.column, std::string("the text has no closing quote; add ") + quote);
}

ExpressionWord ExpressionWords::name() {
  ExpressionWord word{.kind = WordKind::kName, .column = column()};
  while (at_ < text_.size() && continues_name(text_[at_])) word.text += text_[at_++];
  return word;
}

base::Result<ExpressionWord> ExpressionWords::sign() {
  constexpr std::array<std::string_view, 12> kSigns{"==", "!=", "<=", ">=", "<", ">",
                                                    "+",  "-",  "*",  "/",  "%", "("};
  ExpressionWord word{.kind = WordKind::kSign, .column = column()};
  const std::string_view rest = text_.substr(at_);
  for (const std::string_view known : kSigns) {
    if (!rest.starts_with(known)) continue;
    at_ += known.size();
    word.text = known;
    return word;
  }
  if (rest.front() == ')') {
    ++at_;
    word.text = ")";
    return word;
  }
  const base::CodePoint point = base::decode_utf8(text_, at_);
  const std::string odd = base::to_valid_utf8(rest.substr(0, point.size));
  const bool seen = !base::is_invisible_control(point.value);
  return expression_error(column(), (seen ? "'" + odd + "'" : "a control character") +
                                        " means nothing here" + cure_of_sign(rest.front()));
}

std::string shown(const ExpressionWord& word) {
  if (word.kind == WordKind::kEnd) return "the end";
  if (word.kind == WordKind::kText) return "a text";
  return "'" + std::string(base::utf8_prefix(word.text, kMostOfWord)) + "'";
}

}  // namespace clever::plan
