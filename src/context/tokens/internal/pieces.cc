#include "context/tokens/internal/pieces.h"

#include "base/utf8.h"

// The two expressions, as their makers publish them (\s is White_Space):
//
//   cl100k  '(?i:[sdmt]|ll|ve|re) | [^\r\n\p{L}\p{N}]?\p{L}+ | \p{N}{1,3}
//           | ?[^\s\p{L}\p{N}]+[\r\n]* | \s+$ | \s*[\r\n] | \s+(?!\S) | \s
//   o200k
//   [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(contraction)?
//           |
//           [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(contraction)?
//           | \p{N}{1,3} | ?[^\s\p{L}\p{N}]+[\r\n/]* | \s*[\r\n]+ | \s+(?!\S) | \s+
//
// The first alternative that matches wins, and each repetition takes as much as it can and gives
// back what the rest needs: where that matters it is said below.
namespace clever::context::internal {
namespace {

using enum CharacterClass;

bool is_letter_class(CharacterClass kind) {
  return kind == kUpper || kind == kLower || kind == kLetter;
}
// [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}] and [\p{Ll}\p{Lm}\p{Lo}\p{M}]
bool may_lead(CharacterClass kind) { return kind == kUpper || kind == kLetter || kind == kMark; }
bool may_end(CharacterClass kind) { return kind == kLower || kind == kLetter || kind == kMark; }
bool is_line_end(char32_t character) { return character == '\r' || character == '\n'; }

char lower_letter(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

}  // namespace

std::string_view Pieces::next() {
  if (place_ >= text_.size()) return {};
  const std::size_t begin = place_;
  place_ = end_of_piece();
  return text_.substr(begin, place_ - begin);
}

Pieces::Character Pieces::at(std::size_t place) const {
  const auto byte = static_cast<unsigned char>(text_[place]);
  if (byte < 0x80) return {characters_.of_byte(byte), byte, place + 1};
  const base::CodePoint point = base::decode_utf8(text_, place);
  return {characters_.of(point.value), point.value, place + point.size};
}

bool Pieces::is_word_prefix(const Character& character) const {
  return !is_letter_class(character.kind) && character.kind != kNumber &&
         !is_line_end(character.value);
}

std::size_t Pieces::end_of_piece() const {
  if (const std::size_t end = rule_ == Rule::kCl100k ? word_cl100k() : word_o200k(); end != 0) {
    return end;
  }
  if (const std::size_t end = number(); end != 0) return end;
  if (const std::size_t end = signs(); end != 0) return end;
  return space();
}

// 's 't 're 've 'm 'll 'd, in either case.
std::size_t Pieces::contraction(std::size_t from) const {
  if (from + 1 >= text_.size() || text_[from] != '\'') return 0;
  const char first = lower_letter(text_[from + 1]);
  if (first == 's' || first == 't' || first == 'm' || first == 'd') return from + 2;
  if (from + 2 >= text_.size()) return 0;
  const char second = lower_letter(text_[from + 2]);
  const bool pair = (first == 'l' && second == 'l') || (first == 'v' && second == 'e') ||
                    (first == 'r' && second == 'e');
  return pair ? from + 3 : 0;
}

std::size_t Pieces::with_contraction(std::size_t end) const {
  const std::size_t longer = end == 0 ? 0 : contraction(end);
  return longer == 0 ? end : longer;
}

// Tries the match after one character that is no letter, number or line end; then without it.
template <class F>
std::size_t Pieces::with_prefix(F&& match) const {
  if (const Character first = at(place_); is_word_prefix(first)) {
    if (const std::size_t end = match(first.end); end != 0) return end;
  }
  return match(place_);
}

std::size_t Pieces::letters(std::size_t from) const {
  std::size_t end = 0;
  for (std::size_t place = from; place < text_.size(); place = end) {
    const Character character = at(place);
    if (!is_letter_class(character.kind)) break;
    end = character.end;
  }
  return end;
}

std::size_t Pieces::word_cl100k() const {
  if (const std::size_t end = contraction(place_); end != 0) return end;
  return with_prefix([&](std::size_t from) { return letters(from); });
}

// Takes all leading characters, then at least one ending character; if none follows, gives back the
// last leading character that may also end.
std::size_t Pieces::word_with_small_end(std::size_t from) const {
  std::size_t given_back = 0;
  std::size_t place = from;
  while (place < text_.size()) {
    const Character character = at(place);
    if (!may_lead(character.kind)) break;
    if (may_end(character.kind)) given_back = character.end;
    place = character.end;
  }
  std::size_t end = 0;
  while (place < text_.size()) {
    const Character character = at(place);
    if (!may_end(character.kind)) break;
    end = place = character.end;
  }
  return end != 0 ? end : given_back;
}

std::size_t Pieces::word_of_capitals(std::size_t from) const {
  std::size_t end = 0;
  for (std::size_t place = from; place < text_.size(); place = end) {
    const Character character = at(place);
    if (!may_lead(character.kind)) break;
    end = character.end;
  }
  return end;
}

std::size_t Pieces::word_o200k() const {
  const std::size_t end = with_prefix([&](std::size_t from) { return word_with_small_end(from); });
  if (end != 0) return with_contraction(end);
  return with_contraction(with_prefix([&](std::size_t from) { return word_of_capitals(from); }));
}

std::size_t Pieces::number() const {
  std::size_t end = 0;
  std::size_t place = place_;
  for (int digits = 0; digits < 3 && place < text_.size(); ++digits) {
    const Character character = at(place);
    if (character.kind != kNumber) break;
    end = place = character.end;
  }
  return end;
}

// An optional space, signs, and the line ends after them (for o200k also slashes).
std::size_t Pieces::signs() const {
  std::size_t end = 0;
  std::size_t place = text_[place_] == ' ' ? place_ + 1 : place_;
  while (place < text_.size()) {
    const Character character = at(place);
    if (is_letter_class(character.kind) || character.kind == kNumber || character.kind == kSpace)
      break;
    end = place = character.end;
  }
  if (end == 0) return 0;
  while (end < text_.size() && (text_[end] == '\r' || text_[end] == '\n' ||
                                (rule_ == Rule::kO200k && text_[end] == '/'))) {
    ++end;
  }
  return end;
}

// Takes a run of spaces: up to its last line end; at the end of the text all of it; otherwise all
// but the last character, which belongs to what follows; at least one.
std::size_t Pieces::space() const {
  std::size_t end = place_;
  std::size_t last = place_;
  std::size_t after_line = 0;
  while (end < text_.size()) {
    const Character character = at(end);
    if (character.kind != kSpace) break;
    last = end;
    end = character.end;
    if (is_line_end(character.value)) after_line = end;
  }
  // cl100k looks for the end of the text first.
  if (rule_ == Rule::kCl100k && end == text_.size()) return end;
  if (after_line != 0) return after_line;
  return end == text_.size() || last == place_ ? end : last;
}

}  // namespace clever::context::internal
