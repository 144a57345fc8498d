#include "engine/actor/internal/replacer.h"

#include <re2/re2.h>

#include <array>
#include <optional>
#include <variant>
#include <vector>

#include "base/utf8.h"
#include "engine/actor/internal/variables.h"

namespace clever::engine::internal {
namespace {

constexpr std::int64_t kMostRegexMemory = std::int64_t{16} << 20U;
constexpr int kMostGroups = 10;

using Variables = std::map<std::string, std::string>;

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

std::string with_returns(std::string_view text) {
  std::string converted;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n' && (i == 0 || text[i - 1] != '\r')) converted += '\r';
    converted += text[i];
  }
  return converted;
}

// Adapts the text's line ends to the file's.
class PlainReplacer final : public Replacer {
 public:
  PlainReplacer(const std::string& find, const std::string& replace, bool word)
      : plain_{find, replace}, returns_{with_returns(find), with_returns(replace)}, word_(word) {}

  [[nodiscard]] bool is_in(std::string_view text) const override {
    return next(text, 0, words_for(text).find) != std::string_view::npos;
  }
  [[nodiscard]] Replaced replace(std::string_view text) const override {
    const Words& words = words_for(text);
    Replaced result;
    std::size_t from = 0;
    for (std::size_t at = 0; (at = next(text, from, words.find)) != std::string_view::npos;) {
      result.text.append(text.substr(from, at - from)).append(words.replace);
      from = at + words.find.size();
      ++result.count;
    }
    result.text.append(text.substr(from));
    return result;
  }

 private:
  struct Words {
    std::string find;
    std::string replace;
  };
  [[nodiscard]] const Words& words_for(std::string_view text) const {
    return text.contains("\r\n") ? returns_ : plain_;
  }
  [[nodiscard]] std::size_t next(std::string_view text, std::size_t from,
                                 const std::string& find) const {
    for (std::size_t at = from; (at = text.find(find, at)) != std::string_view::npos; ++at) {
      if (!word_ || stands_alone(text, at, find)) return at;
    }
    return std::string_view::npos;
  }
  static bool stands_alone(std::string_view text, std::size_t at, const std::string& find) {
    const std::size_t end = at + find.size();
    const bool joined_before = at > 0 && is_word(text[at - 1]) && is_word(find.front());
    const bool joined_behind = end < text.size() && is_word(text[end]) && is_word(find.back());
    return !joined_before && !joined_behind;
  }

  const Words plain_;
  const Words returns_;
  const bool word_;
};

// A literal text, or the number of a group.
using TemplatePart = std::variant<std::string, int>;

// Returns the meaning of an escape; nothing if it is not one.
std::optional<std::string> escaped(char mark, char next) {
  if (mark == '$') return next == '$' ? std::optional<std::string>("$") : std::nullopt;
  switch (next) {
    case 'n':
      return "\n";
    case 't':
      return "\t";
    case '\\':
      return "\\";
    default:
      return std::nullopt;
  }
}

std::vector<TemplatePart> template_of(std::string_view text) {
  std::vector<TemplatePart> parts;
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char mark = text[i];
    const char next = i + 1 < text.size() ? text[i + 1] : '\0';
    if ((mark == '$' || mark == '\\') && next >= '0' && next <= '9') {
      if (!plain.empty()) parts.emplace_back(std::move(plain));
      plain.clear();
      parts.emplace_back(next - '0');
      ++i;
    } else if (const auto character = escaped(mark, next);
               (mark == '$' || mark == '\\') && character) {
      plain += *character;
      ++i;
    } else {
      plain += mark;
    }
  }
  if (!plain.empty()) parts.emplace_back(std::move(plain));
  return parts;
}

RE2::Options regex_options(bool utf8) {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(kMostRegexMemory);
  if (!utf8) options.set_encoding(RE2::Options::EncodingLatin1);
  return options;
}

class RegexReplacer final : public Replacer {
 public:
  RegexReplacer(const std::string& find, std::string_view replace)
      : regex_("(?m)" + find, regex_options(base::is_utf8(find))), parts_(template_of(replace)) {}
  RegexReplacer(const RegexReplacer&) = delete;
  RegexReplacer& operator=(const RegexReplacer&) = delete;

  [[nodiscard]] base::Result<void> check() const {
    if (!regex_.ok()) {
      return base::invalid_argument("find is not a regular expression of RE2: " +
                                    base::to_valid_utf8(regex_.error()));
    }
    for (const TemplatePart& part : parts_) {
      const int* group = std::get_if<int>(&part);
      if (group == nullptr || *group <= regex_.NumberOfCapturingGroups()) continue;
      return base::invalid_argument("replace names the group " + std::to_string(*group) +
                                    ", but find has " +
                                    std::to_string(regex_.NumberOfCapturingGroups()) +
                                    " (parentheses); $$ writes $ itself, \\\\ a backslash");
    }
    return {};
  }

  [[nodiscard]] bool is_in(std::string_view text) const override {
    re2::StringPiece match;
    return find(text, 0, &match, 1);
  }

  [[nodiscard]] Replaced replace(std::string_view text) const override {
    std::array<re2::StringPiece, kMostGroups> groups;
    Replaced result;
    std::size_t copied = 0;
    std::size_t from = 0;
    while (from <= text.size() && find(text, from, groups.data(), kMostGroups)) {
      const auto at = static_cast<std::size_t>(groups[0].data() - text.data());
      const std::size_t end = at + groups[0].size();
      // An empty match right after the last replacement is not another match.
      const bool is_next = groups[0].empty() && at == copied && result.count > 0;
      if (!is_next) {
        result.text.append(text.substr(copied, at - copied));
        fill(groups, result.text);
        copied = end;
        ++result.count;
      }
      from = groups[0].empty() ? end + 1 : end;
    }
    result.text.append(text.substr(copied));
    return result;
  }

 private:
  [[nodiscard]] bool find(std::string_view text, std::size_t from, re2::StringPiece* groups,
                          int count) const {
    return regex_.Match(re2::StringPiece(text.data(), text.size()), from, text.size(),
                        RE2::UNANCHORED, groups, count);
  }
  void fill(const std::array<re2::StringPiece, kMostGroups>& groups, std::string& into) const {
    for (const TemplatePart& part : parts_) {
      if (const std::string* plain = std::get_if<std::string>(&part)) {
        into += *plain;
      } else {
        const re2::StringPiece& group = groups[static_cast<std::size_t>(std::get<int>(part))];
        into.append(group.data(), group.size());
      }
    }
  }

  const RE2 regex_;
  const std::vector<TemplatePart> parts_;
};

std::string quoted_pattern(const std::string& value) {
  return RE2::QuoteMeta(re2::StringPiece(value.data(), value.size()));
}

std::string quoted_template(const std::string& value) {
  std::string quoted;
  for (const char c : value) {
    if (c == '$' || c == '\\') quoted += c;
    quoted += c;
  }
  return quoted;
}

std::string step_value(const ToolActorStep& step, std::string_view key) {
  const auto found = step.values.find(std::string(key));
  return found == step.values.end() ? std::string() : found->second;
}

std::string expand_quoted(const std::string& text, const Variables& variables,
                          std::string (*quote)(const std::string&)) {
  if (sole_variable(text)) return expand(text, variables);
  return expand(text, [&](const std::string& name) {
    const auto found = variables.find(name);
    return found == variables.end() ? std::string() : quote(found->second);
  });
}

base::Result<bool> flag(const ToolActorStep& step, std::string_view key,
                        const Variables& variables) {
  const std::string text = expand(step_value(step, key), variables);
  if (text == "true") return true;
  if (text == "false" || text.empty()) return false;
  return base::invalid_argument(std::string(key) + " is \"" +
                                std::string(base::utf8_prefix(base::to_valid_utf8(text), 40)) +
                                "\", but must be true or false");
}

base::Result<std::shared_ptr<const Replacer>> regex_replacer(const ToolActorStep& step,
                                                             const Variables& variables,
                                                             bool word) {
  std::string find = expand_quoted(step_value(step, "find"), variables, quoted_pattern);
  if (find.empty()) return base::invalid_argument("find is empty");
  if (word) find = "\\b(?:" + find + ")\\b";
  const std::string replace =
      expand_quoted(step_value(step, "replace"), variables, quoted_template);
  auto replacer = std::make_shared<RegexReplacer>(find, replace);
  CLEVER_TRY(replacer->check());
  return std::shared_ptr<const Replacer>(std::move(replacer));
}

}  // namespace

base::Result<std::shared_ptr<const Replacer>> Replacer::of(const ToolActorStep& step,
                                                           const Variables& variables) {
  CLEVER_ASSIGN(const bool regex, flag(step, "regex", variables));
  CLEVER_ASSIGN(const bool word, flag(step, "word", variables));
  if (regex) return regex_replacer(step, variables, word);
  const std::string find = expand(step_value(step, "find"), variables);
  if (find.empty()) return base::invalid_argument("find is empty: give the text to replace");
  return std::shared_ptr<const Replacer>(
      std::make_shared<PlainReplacer>(find, expand(step_value(step, "replace"), variables), word));
}

}  // namespace clever::engine::internal
