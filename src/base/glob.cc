#include "base/glob.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>

#include "base/utf8.h"

namespace clever::base {
namespace {

// Invalid bytes are units beyond Unicode, each its own.
constexpr char32_t kInvalidBytes = 0x110000;
constexpr char32_t kAscii = 0x80;

char32_t next_unit(std::string_view text, std::size_t& at, bool characters) {
  const auto byte = static_cast<unsigned char>(text[at]);
  if (!characters || byte < kAscii) {
    ++at;
    return byte;
  }
  const CodePoint point = decode_utf8(text, at);
  at += point.valid ? point.size : 1;
  return point.valid ? point.value : kInvalidBytes + byte;
}

void append_unit(std::string& text, char32_t unit, bool characters) {
  if (characters && unit >= kAscii && unit < kInvalidBytes) {
    append_utf8(text, unit);
  } else {
    text.push_back(static_cast<char>(unit & 0xFFU));
  }
}

// POSIX's named classes.
constexpr auto kClasses =
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

}  // namespace

// Backtracks to the last star only: an earlier one never needs to take more than it took.
std::optional<bool> matches_wildcards(std::string_view pattern, std::string_view text,
                                      std::size_t& steps) {
  std::size_t at = 0;
  std::size_t star = std::string_view::npos;
  std::size_t after_star = 0;
  for (std::size_t i = 0; i < text.size();) {
    if (steps == 0) return std::nullopt;
    --steps;
    if (at < pattern.size() && pattern[at] == '*') {
      star = at++;
      after_star = i;
    } else if (at < pattern.size() && (pattern[at] == '?' || pattern[at] == text[i])) {
      ++at;
      ++i;
    } else if (star != std::string_view::npos) {
      at = star + 1;
      i = ++after_star;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', at) == std::string_view::npos;
}

bool matches_wildcards(std::string_view pattern, std::string_view text) {
  std::size_t steps = std::numeric_limits<std::size_t>::max();
  return matches_wildcards(pattern, text, steps).value_or(false);
}

// Parses what stands in brackets.
class Glob::SetReader {
 public:
  SetReader(std::string_view pattern, std::size_t at, bool characters)
      : pattern_(pattern), at_(at), characters_(characters) {}

  // Starts after the opening bracket; returns none without a closing one.
  std::optional<Token> read() {
    set_.negated = peek() == '!' || peek() == '^';
    if (set_.negated) ++at_;
    for (bool first = true; first || peek() != ']'; first = false) {
      if (at_ >= pattern_.size() || !read_member()) return std::nullopt;
    }
    ++at_;
    return std::move(set_);
  }
  [[nodiscard]] std::size_t at() const { return at_; }

 private:
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < pattern_.size() ? pattern_[at_ + ahead] : '\0';
  }

  // A unit, possibly escaped.
  std::optional<char32_t> read_unit() {
    if (peek() == '\\') ++at_;
    if (at_ >= pattern_.size()) return std::nullopt;
    return next_unit(pattern_, at_, characters_);
  }

  // A unit, a range whose first unit came before, or a named class.
  bool read_member() {
    if (peek() == '-' && previous_ && peek(1) != '\0' && peek(1) != ']') return read_range();
    if (peek() == '[' && peek(1) == ':') {
      const std::size_t end = pattern_.find(']', at_ + 2);
      if (end == std::string_view::npos) return false;
      if (end > at_ + 2 && pattern_[end - 1] == ':') return read_class(end);
    }
    previous_ = read_unit();
    if (previous_) set_.ranges.emplace_back(*previous_, *previous_);
    return previous_.has_value();
  }

  bool read_range() {
    ++at_;
    const auto last = read_unit();
    if (!last) return false;
    set_.ranges.emplace_back(*previous_, *last);
    previous_.reset();
    return true;
  }

  bool read_class(std::size_t end) {
    const std::string_view name = pattern_.substr(at_ + 2, end - 1 - (at_ + 2));
    const auto* const known =
        std::ranges::find(kClasses, name, [](const auto& entry) { return entry.first; });
    if (known == kClasses.end()) return false;
    for (char32_t unit = 0; unit < kAscii; ++unit) {
      if (known->second(static_cast<int>(unit)) != 0) set_.ranges.emplace_back(unit, unit);
    }
    at_ = end + 1;
    previous_.reset();
    return true;
  }

  std::string_view pattern_;
  std::size_t at_;
  bool characters_;
  Token set_{.kind = Token::Kind::kSet};
  std::optional<char32_t> previous_{};
};

Glob::Glob(std::string_view pattern, Syntax syntax) : syntax_(syntax) {
  compile(pattern);
  if (valid_) keep_literals();
}

void Glob::compile(std::string_view pattern) {
  const bool slash = !syntax_.names;
  for (std::size_t at = 0; at < pattern.size() && valid_;) {
    const char byte = pattern[at];
    if (byte == '*') {
      compile_stars(pattern, at);
    } else if (byte == '?') {
      tokens_.push_back({.kind = Token::Kind::kSet, .slash = slash, .negated = true});
      ++at;
    } else if (byte == '[' && syntax_.sets) {
      SetReader reader(pattern, at + 1, syntax_.characters);
      auto set = reader.read();
      valid_ = set.has_value();
      if (!set) return;
      set->slash = slash;
      tokens_.push_back(*std::move(set));
      at = reader.at();
    } else {
      if (byte == '\\' && syntax_.sets) ++at;
      valid_ = at < pattern.size();
      if (valid_) tokens_.push_back({.unit = next_unit(pattern, at, syntax_.characters)});
    }
  }
}

// Two stars between slashes match any number of folders, also none.
void Glob::compile_stars(std::string_view pattern, std::size_t& at) {
  const std::size_t begin = at;
  while (at < pattern.size() && pattern[at] == '*') ++at;
  const std::size_t count = at - begin;
  const std::string_view rest = pattern.substr(at);
  const bool begins = begin == 0 || pattern[begin - 1] == '/';
  const bool ends = rest.empty() || rest.starts_with('/') || rest.starts_with("\\/");
  const bool folders = syntax_.names && count > 1 && (syntax_.loose || (begins && ends));
  // In loose patterns more than two stars stand for anything, but not for nothing with the slash.
  if (folders && begins && rest.starts_with('/') && (count == 2 || !syntax_.loose)) {
    tokens_.push_back({.kind = Token::Kind::kSkip});
  }
  tokens_.push_back({.kind = Token::Kind::kMany, .slash = folders || !syntax_.names});
}

void Glob::keep_literals() {
  const auto is_other = [](const Token& token) { return token.kind != Token::Kind::kLiteral; };
  const auto first = std::ranges::find_if(tokens_, is_other);
  for (auto token = tokens_.begin(); token != first; ++token) {
    append_unit(head_, token->unit, syntax_.characters);
  }
  tokens_.erase(tokens_.begin(), first);
  std::size_t begin = tokens_.size();
  while (begin > 0 && !is_other(tokens_[begin - 1])) --begin;
  // The slash after folders may be skipped.
  if (begin > 1 && begin < tokens_.size() && tokens_[begin - 2].kind == Token::Kind::kSkip) ++begin;
  one_star_ = begin == 1 && tokens_[0].kind == Token::Kind::kMany;
  for (; begin < tokens_.size(); ++begin) {
    append_unit(tail_, tokens_[begin].unit, syntax_.characters);
  }
}

bool Glob::takes(const Token& token, char32_t unit) {
  if (token.kind == Token::Kind::kLiteral) return token.unit == unit;
  if (token.kind == Token::Kind::kSkip || (unit == U'/' && !token.slash)) return false;
  if (token.kind == Token::Kind::kMany) return true;
  const bool found = std::ranges::any_of(token.ranges, [unit](const Range& range) {
    return range.first <= unit && unit <= range.second;
  });
  return found != token.negated;
}

// Enters every state that can be reached from this one without a unit.
void Glob::enter(std::vector<bool>& states, std::size_t state) const {
  using enum Token::Kind;
  while (!states[state]) {
    states[state] = true;
    if (state == tokens_.size()) return;
    const Token::Kind kind = tokens_[state].kind;
    if (kind != kMany && kind != kSkip) return;
    if (kind == kSkip) enter(states, state + 3);
    ++state;
  }
}

std::vector<bool> Glob::states_after(std::string_view text) const {
  std::vector<bool> states(tokens_.size() + 1);
  std::vector<bool> next(tokens_.size() + 1);
  enter(states, 0);
  for (std::size_t at = 0; at < text.size();) {
    const char32_t unit = next_unit(text, at, syntax_.characters);
    next.assign(next.size(), false);
    bool alive = false;
    for (std::size_t state = 0; state < tokens_.size(); ++state) {
      if (!states[state] || !takes(tokens_[state], unit)) continue;
      enter(next, tokens_[state].kind == Token::Kind::kMany ? state : state + 1);
      alive = true;
    }
    if (!alive) return {};
    states.swap(next);
  }
  return states;
}

bool Glob::matches(std::string_view text) const {
  if (!valid_ || !text.starts_with(head_)) return false;
  text.remove_prefix(head_.size());
  if (tokens_.empty()) return text.empty();
  if (!text.ends_with(tail_)) return false;
  if (one_star_) {
    return tokens_[0].slash || !text.substr(0, text.size() - tail_.size()).contains('/');
  }
  const std::vector<bool> states = states_after(text);
  return !states.empty() && states.back();
}

bool Glob::may_continue(std::string_view prefix) const {
  if (!valid_) return false;
  if (prefix.size() < head_.size()) return std::string_view(head_).starts_with(prefix);
  if (!prefix.starts_with(head_)) return false;
  std::vector<bool> states = states_after(prefix.substr(head_.size()));
  if (!states.empty()) states.pop_back();
  return std::ranges::find(states, true) != states.end();
}

}  // namespace clever::base
