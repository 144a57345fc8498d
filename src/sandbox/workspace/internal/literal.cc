#include <algorithm>
#include <cstring>

#include "sandbox/workspace/internal/text_search.h"

namespace clever::sandbox::internal {
namespace {

// How common a byte is in source text, roughly: only the order matters.
int commonness(char c) {
  constexpr std::string_view kCommonFirst = " etaoinsrldcup\n_mf\t,;.()ghb*-y=/v0>\"xk1w#{}E";
  const std::size_t place = kCommonFirst.find(c);
  if (place != std::string_view::npos) return 1000 - static_cast<int>(place);
  return c >= 0x20 && c < 0x7F ? 100 : 10;
}

// A multi-byte character is not plain: a quantifier after it applies to all its bytes.
bool is_plain(char c) {
  return c >= 0x20 && c < 0x7F && !std::string_view("\\^$.|?*+()[]{}").contains(c);
}

bool is_special(char c) { return std::string_view("\\^$.|?*+()[]{}").contains(c); }

bool may_be_absent(std::string_view rest) {
  return rest.starts_with('?') || rest.starts_with('*') || rest.starts_with('{');
}

// Returns whether the escape "\x" stands for the character x itself.
bool is_escaped_plain(std::string_view rest) {
  return rest.size() >= 2 && rest[0] == '\\' && is_special(rest[1]);
}

// Returns whether a two-character escape stands for a character or position by itself.
bool is_known_class(std::string_view rest) {
  return rest.size() >= 2 && std::string_view("dDwWsSbB").contains(rest[1]);
}

}  // namespace

std::string required_literal(std::string_view regex) {
  // Alternatives and flags need a real parser: no literal is required there.
  if (regex.contains('|') || regex.contains("(?") || regex.contains("\\Q")) return {};
  std::string best;
  std::string run;
  int depth = 0;
  const auto end_run = [&] {
    if (run.size() > best.size()) best = run;
    run.clear();
  };
  for (std::size_t at = 0; at < regex.size();) {
    const std::string_view rest = regex.substr(at);
    const bool escaped = is_escaped_plain(rest);
    if (rest[0] == '\\' && !escaped && !is_known_class(rest)) return {};  // \x41, \pL, …
    const std::size_t length = rest[0] == '\\' ? 2 : 1;
    const bool plain = escaped || is_plain(rest[0]);
    if (rest[0] == '[') return best.size() >= run.size() ? best : run;
    if (!escaped && rest[0] == '(') ++depth;
    if (!escaped && rest[0] == ')') --depth;
    if (plain && depth == 0 && !may_be_absent(regex.substr(std::min(at + length, regex.size())))) {
      run.push_back(rest[length - 1]);
    } else {
      end_run();
    }
    at += length;
    // Skips "{2,3}".
    if (!escaped && rest[0] == '{') {
      const std::size_t close = regex.find('}', at);
      if (close == std::string_view::npos) return {};
      at = close + 1;
    }
  }
  end_run();
  return best;
}

LiteralFinder::LiteralFinder(std::string_view needle) : needle_(needle) {
  for (std::size_t i = 0; i < needle.size(); ++i) {
    if (commonness(needle[i]) < commonness(needle[rarest_])) rarest_ = i;
  }
}

std::size_t LiteralFinder::find(std::string_view text, std::size_t from) const {
  if (needle_.empty()) return from;
  std::size_t at = from + rarest_;
  while (at < text.size()) {
    const void* hit = std::memchr(text.data() + at, needle_[rarest_], text.size() - at);
    if (hit == nullptr) break;
    at = static_cast<std::size_t>(static_cast<const char*>(hit) - text.data());
    if (text.substr(at - rarest_).starts_with(needle_)) return at - rarest_;
    ++at;
  }
  return std::string_view::npos;
}

}  // namespace clever::sandbox::internal
