#include "git/internal/glob.h"

#include <array>
#include <cctype>
#include <utility>

namespace clever::git::internal {
namespace {

std::size_t index(char byte) { return static_cast<unsigned char>(byte); }

using Set = std::bitset<256>;

// POSIX's named classes, for ASCII.
std::optional<Set> named_class(std::string_view name) {
  static constexpr auto kClasses =
      std::to_array<std::pair<std::string_view, int (*)(int)>>({{"alnum", ::isalnum},
                                                                {"alpha", ::isalpha},
                                                                {"blank", ::isblank},
                                                                {"cntrl", ::iscntrl},
                                                                {"digit", ::isdigit},
                                                                {"graph", ::isgraph},
                                                                {"lower", ::islower},
                                                                {"print", ::isprint},
                                                                {"punct", ::ispunct},
                                                                {"space", ::isspace},
                                                                {"upper", ::isupper},
                                                                {"xdigit", ::isxdigit}});
  for (const auto& [known, holds] : kClasses) {
    if (known != name) continue;
    Set set;
    constexpr int kAscii = 128;
    for (int byte = 0; byte < kAscii; ++byte) {
      if (holds(byte) != 0) set.set(static_cast<std::size_t>(byte));
    }
    return set;
  }
  return std::nullopt;
}

// Parses the content of brackets.
class SetReader {
 public:
  SetReader(std::string_view pattern, std::size_t at) : pattern_(pattern), at_(at) {}

  // Starts after the opening bracket; returns nothing without a closing one.
  std::optional<Set> read() {
    const bool negated = peek() == '!' || peek() == '^';
    if (negated) ++at_;
    for (bool first = true; first || peek() != ']'; first = false) {
      if (at_ >= pattern_.size() || !member()) return std::nullopt;
    }
    ++at_;
    return negated ? ~set_ : set_;
  }
  [[nodiscard]] std::size_t at() const { return at_; }

 private:
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < pattern_.size() ? pattern_[at_ + ahead] : '\0';
  }

  // A byte, possibly escaped.
  std::optional<char> byte() {
    if (peek() == '\\') ++at_;
    if (at_ >= pattern_.size()) return std::nullopt;
    return pattern_[at_++];
  }

  // One member: a byte, a range whose first byte came before, or a named class.
  bool member() {
    if (peek() == '-' && previous_ && peek(1) != '\0' && peek(1) != ']') return range();
    if (peek() == '[' && peek(1) == ':') {
      const std::size_t end = pattern_.find(']', at_ + 2);
      if (end == std::string_view::npos) return false;
      if (end > at_ + 2 && pattern_[end - 1] == ':') return class_until(end);
    }
    const auto single = byte();
    if (!single) return false;
    set_.set(index(*single));
    previous_ = single;
    return true;
  }

  bool range() {
    ++at_;
    const auto last = byte();
    if (!last) return false;
    for (std::size_t i = index(*previous_); i <= index(*last); ++i) set_.set(i);
    previous_.reset();
    return true;
  }

  bool class_until(std::size_t end) {
    const auto members = named_class(pattern_.substr(at_ + 2, end - 1 - (at_ + 2)));
    if (!members) return false;
    set_ |= *members;
    at_ = end + 1;
    previous_.reset();
    return true;
  }

  std::string_view pattern_;
  std::size_t at_;
  Set set_;
  std::optional<char> previous_{};
};

}  // namespace

Glob::Glob(std::string_view pattern, Slashes slashes) : separate_(slashes == Slashes::kSeparate) {
  if (pattern.find_first_of("*?[\\") == std::string_view::npos) {
    literal_ = pattern;
  } else {
    compile(pattern);
  }
}

Set Glob::any() const {
  Set set;
  set.set();
  if (separate_) set.reset(index('/'));
  return set;
}

void Glob::add_byte(char byte) {
  Token token;
  token.set.set(index(byte));
  tokens_.push_back(token);
}

void Glob::compile(std::string_view pattern) {
  for (std::size_t at = 0; at < pattern.size() && !impossible_;) {
    const char byte = pattern[at];
    if (byte == '*') {
      compile_stars(pattern, at);
    } else if (byte == '?') {
      tokens_.push_back({.kind = Token::Kind::kOne, .set = any()});
      ++at;
    } else if (byte == '[') {
      const auto set = compile_set(pattern, at);
      impossible_ = !set;
      if (set) tokens_.push_back({.kind = Token::Kind::kOne, .set = *set & any()});
    } else if (byte == '\\') {
      impossible_ = at + 1 == pattern.size();
      if (!impossible_) add_byte(pattern[at + 1]);
      at += 2;
    } else {
      add_byte(byte);
      ++at;
    }
  }
}

std::optional<Glob::Set> Glob::compile_set(std::string_view pattern, std::size_t& at) {
  SetReader reader(pattern, at + 1);
  auto set = reader.read();
  at = reader.at();
  return set;
}

// Two stars alone between slashes match any number of folders, also none.
void Glob::compile_stars(std::string_view pattern, std::size_t& at) {
  const std::size_t begin = at;
  while (at < pattern.size() && pattern[at] == '*') ++at;
  const std::string_view rest = pattern.substr(at);
  const bool alone = (begin == 0 || pattern[begin - 1] == '/') &&
                     (rest.empty() || rest.starts_with('/') || rest.starts_with("\\/"));
  if (!separate_ || at - begin == 1 || !alone) {
    tokens_.push_back({.kind = Token::Kind::kMany, .set = any()});
    return;
  }
  if (rest.starts_with('/')) tokens_.push_back({.kind = Token::Kind::kSkip});
  tokens_.push_back({.kind = Token::Kind::kMany, .set = Set().set()});
}

// Enters every state that can be reached from this one without a byte.
void Glob::enter(std::vector<bool>& states, std::size_t state) const {
  while (!states[state]) {
    states[state] = true;
    if (state == tokens_.size() || tokens_[state].kind == Token::Kind::kOne) return;
    if (tokens_[state].kind == Token::Kind::kSkip) enter(states, state + 3);
    ++state;
  }
}

bool Glob::matches(std::string_view text) const {
  if (literal_) return text == *literal_;
  if (impossible_) return false;
  std::vector<bool> states(tokens_.size() + 1);
  std::vector<bool> next(tokens_.size() + 1);
  enter(states, 0);
  for (const char byte : text) {
    next.assign(next.size(), false);
    bool alive = false;
    for (std::size_t state = 0; state < tokens_.size(); ++state) {
      const Token& token = tokens_[state];
      if (!states[state] || token.kind == Token::Kind::kSkip || !token.set[index(byte)]) continue;
      enter(next, token.kind == Token::Kind::kMany ? state : state + 1);
      alive = true;
    }
    if (!alive) return false;
    states.swap(next);
  }
  return states[tokens_.size()];
}

}  // namespace clever::git::internal
