#include "cases/pattern.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <optional>

namespace clever::cases {
namespace {

constexpr std::string_view kLines = "{lines}";

bool is_id_character(char c) {
  return std::string_view("0123456789ABCDEFGHJKMNPQRSTVWXYZ").find(c) != std::string_view::npos;
}
bool is_hash_character(char c) {
  return std::string_view("0123456789abcdef").find(c) != std::string_view::npos;
}
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// 0 for any digit.
constexpr std::array<std::string_view, 2> kTimes{"0000-00-00T00:00:00.000Z", "0000-00-00 00:00"};

bool has_shape(std::string_view text, std::string_view shape) {
  return std::ranges::equal(
      text, shape, [](char c, char wanted) { return wanted == '0' ? is_digit(c) : c == wanted; });
}

bool is_time(std::string_view text) {
  return std::ranges::any_of(kTimes,
                             [&](std::string_view shape) { return has_shape(text, shape); });
}

/// A kind of placeholder, and what it stands for.
struct Kind {
  std::string_view name;
  bool (*stands_for)(std::string_view text);
};
constexpr std::array<Kind, 5> kKinds{
    Kind{"id",
         [](std::string_view text) {
           return text.size() == 26 && std::ranges::all_of(text, is_id_character);
         }},
    Kind{"hash",
         [](std::string_view text) {
           return text.size() >= 7 && text.size() <= 64 &&
                  std::ranges::all_of(text, is_hash_character);
         }},
    Kind{"time", is_time},
    Kind{"number",
         [](std::string_view text) {
           return !text.empty() && is_digit(text.front()) &&
                  text.find_first_not_of("0123456789.,") == std::string_view::npos;
         }},
    Kind{"any", [](std::string_view) { return true; }},
};

struct Placeholder {
  const Kind* kind = nullptr;
  std::string_view name{};
  /// In the pattern, braces included.
  std::size_t length = 0;
};

// The placeholder that the text begins with, if it does.
std::optional<Placeholder> placeholder_at(std::string_view text) {
  const std::size_t end = text.find('}');
  if (!text.starts_with('{') || end == std::string_view::npos) return std::nullopt;
  const std::string_view inside = text.substr(1, end - 1);
  const std::size_t colon = std::min(inside.find(':'), inside.size());
  const auto kind = std::ranges::find(kKinds, inside.substr(0, colon), &Kind::name);
  if (kind == kKinds.end()) return std::nullopt;
  return Placeholder{&*kind, inside.substr(std::min(colon + 1, inside.size())), end + 1};
}

bool matches_placeholder(const Placeholder& placeholder, std::string_view rest,
                         std::string_view line, Bindings& bindings) {
  const auto bound = bindings.find(placeholder.name);
  if (!placeholder.name.empty() && bound != bindings.end()) {
    return line.starts_with(bound->second) &&
           matches(rest, line.substr(bound->second.size()), bindings);
  }
  for (std::size_t length = line.size() + 1; length-- > 0;) {
    const std::string_view value = line.substr(0, length);
    if (!placeholder.kind->stands_for(value)) continue;
    Bindings tried = bindings;
    if (!placeholder.name.empty()) tried.emplace(placeholder.name, value);
    if (!matches(rest, line.substr(length), tried)) continue;
    bindings = std::move(tried);
    return true;
  }
  return false;
}

using Lines = std::vector<std::string>;

bool matches_from(const Lines& patterns, std::size_t pattern, const Lines& lines, std::size_t line,
                  Bindings& bindings) {
  if (pattern == patterns.size()) return line == lines.size();
  Bindings tried = bindings;
  if (patterns[pattern] != kLines) {
    if (line == lines.size() || !matches(patterns[pattern], lines[line], tried)) return false;
    if (!matches_from(patterns, pattern + 1, lines, line + 1, tried)) return false;
    bindings = std::move(tried);
    return true;
  }
  for (std::size_t next = line; next <= lines.size(); ++next) {
    if (matches_from(patterns, pattern + 1, lines, next, bindings)) return true;
  }
  return false;
}

/// Which pattern each line goes with, if one does, so that as many as possible do and none cross.
std::vector<std::optional<std::size_t>> paired(const Lines& patterns, const Lines& lines,
                                               const Bindings& bindings) {
  const auto alike = [&](std::size_t pattern, std::size_t line) {
    Bindings tried = bindings;
    return patterns[pattern] != kLines && matches(patterns[pattern], lines[line], tried);
  };
  std::vector<std::vector<std::size_t>> best(patterns.size() + 1,
                                             std::vector<std::size_t>(lines.size() + 1, 0));
  for (std::size_t p = patterns.size(); p-- > 0;) {
    for (std::size_t l = lines.size(); l-- > 0;) {
      best[p][l] = alike(p, l) ? best[p + 1][l + 1] + 1 : std::max(best[p + 1][l], best[p][l + 1]);
    }
  }
  std::vector<std::optional<std::size_t>> pairs(lines.size());
  for (std::size_t p = 0, l = 0; p < patterns.size() && l < lines.size();) {
    if (alike(p, l)) {
      pairs[l++] = p++;
    } else if (best[p + 1][l] >= best[p][l + 1]) {
      ++p;
    } else {
      ++l;
    }
  }
  return pairs;
}

std::string_view run_at(std::string_view text, bool (*belongs)(char)) {
  std::size_t length = 0;
  while (length < text.size() && belongs(text[length])) ++length;
  return text.substr(0, length);
}

// What at the beginning of the text changes from run to run: its length and its placeholder.
std::optional<std::pair<std::size_t, std::string>> varying(std::string_view text,
                                                           const Bindings& bindings) {
  for (const std::string_view shape : kTimes) {
    if (has_shape(text.substr(0, shape.size()), shape)) {
      return std::pair(shape.size(), std::string("{time}"));
    }
  }
  const auto named = [&](std::string_view value, const std::string& kind) {
    const auto bound =
        std::ranges::find_if(bindings, [&](const auto& entry) { return entry.second == value; });
    return "{" + kind + (bound == bindings.end() ? "" : ":" + bound->first) + "}";
  };
  const std::string_view id = run_at(text, is_id_character);
  if (id.size() == 26) return std::pair(id.size(), named(id, "id"));
  const std::string_view hash = run_at(text, is_hash_character);
  if (hash.size() == 64 || hash.size() == 40 || hash.size() == 12) {
    return std::pair(hash.size(), named(hash, "hash"));
  }
  constexpr std::string_view kDuration = "\"duration_ms\":";
  if (!text.starts_with(kDuration)) return std::nullopt;
  const std::size_t end = text.find_first_of(",}", kDuration.size());
  return std::pair(end, std::string(kDuration) + "{number}");
}

std::string as_pattern(std::string_view line, const Bindings& bindings) {
  std::string pattern;
  while (!line.empty()) {
    const bool inside =
        !pattern.empty() && std::isalnum(static_cast<unsigned char>(pattern.back()));
    if (const auto found = inside ? std::nullopt : varying(line, bindings)) {
      pattern += found->second;
      line.remove_prefix(found->first);
    } else {
      pattern.push_back(line.front());
      line.remove_prefix(1);
    }
  }
  return pattern;
}

}  // namespace

bool matches(std::string_view pattern, std::string_view line, Bindings& bindings) {
  while (!pattern.empty()) {
    if (const auto placeholder = placeholder_at(pattern)) {
      return matches_placeholder(*placeholder, pattern.substr(placeholder->length), line, bindings);
    }
    if (line.empty() || line.front() != pattern.front()) return false;
    pattern.remove_prefix(1);
    line.remove_prefix(1);
  }
  return line.empty();
}

bool matches(const Lines& patterns, const Lines& lines, Bindings& bindings) {
  return matches_from(patterns, 0, lines, 0, bindings);
}

std::string substituted(std::string_view command, const Bindings& bindings) {
  std::string text(command);
  for (const auto& [name, value] : bindings) {
    const std::string place = "{" + name + "}";
    for (std::size_t at = 0; (at = text.find(place, at)) != std::string::npos;) {
      text.replace(at, place.size(), value);
    }
  }
  return text;
}

Lines rewritten(const Lines& patterns, const Lines& lines, const Bindings& bindings) {
  const auto pairs = paired(patterns, lines, bindings);
  Lines result;
  for (std::size_t at = 0; at < lines.size(); ++at) {
    result.push_back(pairs[at] ? patterns[*pairs[at]] : as_pattern(lines[at], bindings));
  }
  return result;
}

std::string difference(const Lines& patterns, const Lines& lines, const Bindings& bindings) {
  const auto pairs = paired(patterns, lines, bindings);
  std::string text;
  std::size_t next = 0;
  const auto missing_until = [&](std::size_t end) {
    for (; next < end; ++next) text += "- " + patterns[next] + "\n";
  };
  for (std::size_t at = 0; at < lines.size(); ++at) {
    if (pairs[at]) missing_until(*pairs[at]);
    text += (pairs[at] ? "  " : "+ ") + lines[at] + "\n";
    if (pairs[at]) ++next;
  }
  missing_until(patterns.size());
  return text;
}

}  // namespace clever::cases
