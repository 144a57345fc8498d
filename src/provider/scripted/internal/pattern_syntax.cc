#include "provider/scripted/internal/pattern_syntax.h"

#include <cctype>
#include <optional>
#include <string>
#include <utility>

namespace clever::provider::internal {
namespace {

using Kind = PatternNodeKind;

ByteSet range(unsigned from, unsigned to) {
  ByteSet set;
  for (unsigned byte = from; byte <= to; ++byte) set.set(byte);
  return set;
}

ByteSet one(char byte) {
  ByteSet set;
  set.set(static_cast<unsigned char>(byte));
  return set;
}

ByteSet digits() { return range('0', '9'); }
ByteSet word() { return range('a', 'z') | range('A', 'Z') | digits() | one('_'); }
ByteSet space() { return range('\t', '\r') | one(' '); }

/// The class that a letter after a backslash names.
std::optional<ByteSet> named_class(char letter) {
  switch (letter) {
    case 'd':
      return digits();
    case 'w':
      return word();
    case 's':
      return space();
    case 'D':
      return ~digits();
    case 'W':
      return ~word();
    case 'S':
      return ~space();
    default:
      return std::nullopt;
  }
}

std::optional<char> escaped_byte(char letter) {
  switch (letter) {
    case 'n':
      return '\n';
    case 't':
      return '\t';
    case 'r':
      return '\r';
    default:
      if (std::isalnum(static_cast<unsigned char>(letter)) != 0) return std::nullopt;
      return letter;
  }
}

bool is_ascii(char byte) { return static_cast<unsigned char>(byte) < 0x80; }

PatternNode bytes_node(const ByteSet& set) { return {.kind = Kind::kBytes, .bytes = set}; }

// A character of UTF-8 that begins with one of `set`: never half of one where all of it is there.
PatternNode character_node(const ByteSet& set) {
  PatternNode rest{.kind = Kind::kRepeat, .parts = {bytes_node(range(0x80, 0xBF))}};
  rest.most = PatternNode::kNoEnd;
  PatternNode longer{.kind = Kind::kSequence,
                     .parts = {bytes_node(set & range(0x80, 0xFF)), std::move(rest)}};
  return {.kind = Kind::kAnyOf, .parts = {bytes_node(set & range(0, 0x7F)), std::move(longer)}};
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  base::Result<PatternTree> parse() {
    if (text_.size() > kMostPatternBytes) {
      return base::invalid_argument("it is longer than " + std::to_string(kMostPatternBytes) +
                                    " bytes");
    }
    if (text_.starts_with("(?i)")) {
      fold_case_ = true;
      at_ = 4;
    }
    CLEVER_ASSIGN(PatternNode root, alternatives(0));
    if (!at_end()) return wrong("a ')' that closes no group; write \\) for the character");
    return PatternTree{std::move(root), groups_};
  }

 private:
  [[nodiscard]] bool at_end() const { return at_ >= text_.size(); }
  [[nodiscard]] bool at(char byte) const { return !at_end() && text_[at_] == byte; }
  bool take(char byte) {
    if (!at(byte)) return false;
    ++at_;
    return true;
  }
  [[nodiscard]] base::Error wrong(std::string what) const {
    return base::invalid_argument("character " + std::to_string(at_ + 1) + ": " + what);
  }

  base::Result<PatternNode> alternatives(std::size_t depth) {
    if (depth > kMostPatternDepth) return wrong("groups are nested too deep");
    PatternNode node{.kind = Kind::kAnyOf};
    do {
      CLEVER_ASSIGN(PatternNode next, sequence(depth));
      node.parts.push_back(std::move(next));
    } while (take('|'));
    return node.parts.size() == 1 ? std::move(node.parts.front()) : std::move(node);
  }

  base::Result<PatternNode> sequence(std::size_t depth) {
    PatternNode node{.kind = Kind::kSequence};
    while (!at_end() && !at('|') && !at(')')) {
      CLEVER_ASSIGN(PatternNode part, atom(depth));
      CLEVER_ASSIGN(part, repeated(std::move(part)));
      node.parts.push_back(std::move(part));
    }
    return node;
  }

  base::Result<PatternNode> atom(std::size_t depth) {
    const char byte = text_[at_];
    switch (byte) {
      case '(':
        return group(depth);
      case '[':
        return set();
      case '\\':
        return escape();
      case '*':
      case '+':
      case '?':
      case '{':
        return wrong(std::string("'") + byte + "' repeats nothing; write \\" + byte +
                     " for the character");
      default:
        ++at_;
        if (byte == '.') return character_node(~one('\n'));
        if (byte == '^') return PatternNode{.kind = Kind::kLineStart};
        if (byte == '$') return PatternNode{.kind = Kind::kLineEnd};
        return literal(byte);
    }
  }

  // A character beyond ASCII is several bytes, which are repeated together.
  PatternNode literal(char first) {
    PatternNode node{.kind = Kind::kSequence};
    node.parts.push_back(bytes_node(folded(one(first))));
    if (is_ascii(first)) return std::move(node.parts.front());
    while (!at_end() && (static_cast<unsigned char>(text_[at_]) & 0xC0U) == 0x80) {
      node.parts.push_back(bytes_node(one(text_[at_++])));
    }
    return node;
  }

  base::Result<PatternNode> group(std::size_t depth) {
    ++at_;
    const bool captures = !text_.substr(at_).starts_with("?:");
    if (!captures) at_ += 2;
    if (captures && at('?')) return wrong("of the groups that begin with (? only (?: is known");
    PatternNode node{.kind = captures ? Kind::kGroup : Kind::kSequence};
    if (captures) node.group = ++groups_;
    if (groups_ > kMostPatternGroups) return wrong("there are too many groups");
    CLEVER_ASSIGN(PatternNode inner, alternatives(depth + 1));
    node.parts.push_back(std::move(inner));
    if (!take(')')) return wrong("a ')' is missing");
    return node;
  }

  base::Result<PatternNode> escape() {
    ++at_;
    if (at_end()) return wrong("a character is missing after \\");
    const char letter = text_[at_++];
    if (letter == 'b') return PatternNode{.kind = Kind::kWordEdge};
    if (const auto named = named_class(letter)) {
      return std::isupper(static_cast<unsigned char>(letter)) != 0 ? character_node(*named)
                                                                   : bytes_node(*named);
    }
    const auto byte = escaped_byte(letter);
    if (!byte) {
      --at_;
      return wrong(std::string("\\") + letter +
                   " is not known; \\d \\w \\s \\D \\W \\S \\b \\n "
                   "\\t \\r are");
    }
    return literal(*byte);
  }

  base::Result<ByteSet> member() {
    const char byte = text_[at_];
    if (!is_ascii(byte)) return wrong("only ASCII may stand in [ ]; use (?:ä|ö) instead");
    ++at_;
    if (byte != '\\') return one(byte);
    if (at_end()) return wrong("a character is missing after \\");
    const char letter = text_[at_];
    if (const auto named = named_class(letter)) {
      ++at_;
      return *named;
    }
    const auto escaped = escaped_byte(letter);
    if (!escaped) return wrong(std::string("\\") + letter + " is not known in [ ]");
    ++at_;
    return one(*escaped);
  }

  base::Result<PatternNode> set() {
    ++at_;
    const bool negated = take('^');
    ByteSet bytes;
    bool first = true;
    while (!at_end() && (first || !at(']'))) {
      first = false;
      CLEVER_ASSIGN(const ByteSet from, member());
      bytes |= from;
      if (!at('-') || at_ + 1 >= text_.size() || text_[at_ + 1] == ']') continue;
      ++at_;
      CLEVER_ASSIGN(const ByteSet to, member());
      if (from.count() != 1 || to.count() != 1) return wrong("a range needs a character each side");
      if (lowest(from) > lowest(to)) return wrong("the range ends before it begins");
      bytes |= range(lowest(from), lowest(to));
    }
    if (!take(']')) return wrong("a ']' is missing");
    bytes = folded(bytes);
    return negated ? character_node(~bytes) : bytes_node(bytes);
  }

  static unsigned lowest(const ByteSet& set) {
    unsigned byte = 0;
    while (byte + 1 < set.size() && !set.test(byte)) ++byte;
    return byte;
  }

  [[nodiscard]] ByteSet folded(ByteSet set) const {
    if (!fold_case_) return set;
    for (unsigned byte = 'a'; byte <= 'z'; ++byte) {
      const unsigned upper = byte - 'a' + 'A';
      if (set.test(byte) || set.test(upper)) set.set(byte).set(upper);
    }
    return set;
  }

  base::Result<PatternNode> repeated(PatternNode part) {
    PatternNode node{.kind = Kind::kRepeat};
    if (take('*')) {
      node.most = PatternNode::kNoEnd;
    } else if (take('+')) {
      node.least = 1;
      node.most = PatternNode::kNoEnd;
    } else if (take('?')) {
      node.most = 1;
    } else if (at('{')) {
      CLEVER_TRY(counts(node));
    } else {
      return part;
    }
    node.lazy = take('?');
    if (at('*') || at('+') || at('?') || at('{')) return wrong("repeated twice; use a group (?:…)");
    node.parts.push_back(std::move(part));
    return node;
  }

  base::Result<void> counts(PatternNode& node) {
    ++at_;
    CLEVER_ASSIGN(node.least, number());
    node.most = node.least;
    if (take(',')) {
      node.most = PatternNode::kNoEnd;
      if (!at('}')) {
        CLEVER_ASSIGN(node.most, number());
      }
    }
    if (!take('}')) return wrong("a '}' is missing");
    if (node.most < node.least) return wrong("{m,n} with n less than m");
    return {};
  }

  base::Result<std::size_t> number() {
    std::size_t value = 0;
    const std::size_t begin = at_;
    while (!at_end() && text_[at_] >= '0' && text_[at_] <= '9') {
      value = value * 10 + static_cast<std::size_t>(text_[at_++] - '0');
      if (value > kMostPatternRepeats) return wrong("repeated more than 1000 times");
    }
    if (at_ == begin) return wrong("a number is missing; {2}, {2,} and {2,5} are right");
    return value;
  }

  const std::string_view text_;
  std::size_t at_ = 0;
  std::size_t groups_ = 0;
  bool fold_case_ = false;
};

}  // namespace

base::Result<PatternTree> parse_pattern(std::string_view text) { return Parser(text).parse(); }

}  // namespace clever::provider::internal
