#include "config/schema.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <ranges>

#include "base/nearest.h"
#include "base/number.h"
#include "base/text.h"
#include "config/internal/keys.h"
#include "config/internal/text.h"
#include "model/permission_pattern.h"

namespace clever::config {
namespace {

using Segments = std::vector<std::string_view>;

Segments segments_of(std::string_view name) {
  Segments segments;
  for (const auto segment : name | std::views::split('.')) {
    segments.emplace_back(segment.begin(), segment.end());
  }
  return segments;
}

// Returns whether the name may begin like this.
bool begins_with(const Segments& pattern, const Segments& name) {
  if (name.size() > pattern.size()) return false;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool fits = pattern[i] == "*" ? internal::is_bare_key(name[i]) : pattern[i] == name[i];
    if (!fits) return false;
  }
  return true;
}

bool matches(const KeyInfo& info, std::string_view name) {
  if (!info.is_pattern()) return info.name == name;
  const Segments pattern = segments_of(info.name);
  const Segments segments = segments_of(name);
  return segments.size() == pattern.size() && begins_with(pattern, segments);
}

bool is_duration(std::string_view text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  constexpr std::size_t kMostDigits = 9;
  if (digits == 0 || digits > kMostDigits) return false;
  const std::string_view unit = text.substr(digits);
  return unit == "ms" || unit == "s" || unit == "m" || unit == "h";
}

// Returns the unit of a size as the number of bits to shift by, or none.
std::optional<unsigned> shift_of(std::string_view unit) {
  constexpr std::array<std::pair<std::string_view, unsigned>, 4> kUnits = {
      {{"KiB", 10}, {"MiB", 20}, {"GiB", 30}, {"TiB", 40}}};
  for (const auto& [name, shift] : kUnits) {
    if (unit == name) return shift;
  }
  return std::nullopt;
}

bool is_size(std::string_view text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  constexpr std::size_t kMostDigits = 6;
  if (text == "0") return true;
  if (digits == 0 || digits > kMostDigits) return false;
  const std::string_view unit = text.substr(digits);
  const int number = base::to_number<int>(text.substr(0, digits)).value_or(0);
  return shift_of(unit).has_value() || (unit == "%" && number >= 1 && number <= 100);
}

bool is_model(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos || !internal::is_bare_key(text.substr(0, slash)))
    return false;
  const std::string_view model = text.substr(slash + 1);
  const bool visible = std::ranges::none_of(
      model, [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == 0x7F; });
  return visible && !model.empty() && model.front() != '/' && model.back() != '/';
}

bool is_variable(std::string_view text) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  const bool digit_first = !text.empty() && text.front() >= '0' && text.front() <= '9';
  return !text.empty() && !digit_first && std::ranges::all_of(text, fits);
}

bool is_text(std::string_view text) {
  return !internal::first_line_not_utf8(text) && text.find('\0') == std::string_view::npos;
}

constexpr std::string_view kBlank = " \t\r\n";

bool is_blank(std::string_view text) {
  return text.find_first_not_of(kBlank) == std::string_view::npos;
}

std::string trimmed(std::string_view text) {
  const std::size_t first = std::min(text.find_first_not_of(kBlank), text.size());
  return std::string(text.substr(first, text.find_last_not_of(kBlank) + 1 - first));
}

bool is_text_list(std::string_view text) {
  return is_text(text) && std::ranges::none_of(list_of(text), &std::string::empty);
}

bool is_model_list(std::string_view text) {
  return std::ranges::all_of(list_of(text), [](const std::string& item) {
    return is_model(item) || internal::is_bare_key(item);
  });
}

// Compared as a double, which is exact for every bound in the schema.
bool is_within_bounds(const KeyInfo& info, std::string_view text) {
  const double number = base::to_number<double>(text).value_or(0);
  return (!info.least || number >= static_cast<double>(*info.least)) &&
         (!info.most || number <= static_cast<double>(*info.most));
}

// Returns what is wrong with the first invalid rule.
base::Result<void> check_rules(std::string_view key, const std::vector<std::string>& rules) {
  for (const std::string& rule : rules) {
    if (const auto parsed = model::parse_permission(rule); !parsed.ok()) {
      return base::invalid_argument(std::string(key) + ": " + parsed.error().message());
    }
  }
  return {};
}

bool is_tool_list(std::string_view text) {
  return std::ranges::all_of(list_of(text), [](const std::string& item) {
    const auto pattern = model::parse_permission(item);
    return pattern.ok() && pattern->argument.empty();
  });
}

bool is_allowed(const KeyInfo& info, std::string_view text) {
  return std::ranges::find(info.allowed, text) != info.allowed.end();
}

bool is_valid(const KeyInfo& info, std::string_view text) {
  switch (info.type) {
    case Type::kString:
      return is_text(text);
    case Type::kModel:
      return is_model(text);
    case Type::kInteger:
      return base::to_number<std::int64_t>(text).has_value() && is_within_bounds(info, text);
    case Type::kNumber:
      return base::to_number<double>(text).has_value() && is_within_bounds(info, text);
    case Type::kBoolean:
      return text == "true" || text == "false";
    case Type::kChoice:
      return is_allowed(info, text);
    case Type::kDuration:
      return is_duration(text);
    case Type::kSize:
      return is_size(text);
    case Type::kList:
      return is_text_list(text);
    case Type::kModels:
      return is_model_list(text);
    case Type::kRule:
    case Type::kRules:
      return is_text(text);  // unreachable: check_value() says what is wrong with a rule
    case Type::kTools:
      return is_tool_list(text);
    case Type::kVariable:
      return is_variable(text);
    case Type::kCommand:
      return is_text(text) && !is_blank(text);
    case Type::kObject:
      return is_text(text) && text.starts_with('{') && text.ends_with('}');
  }
  return false;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& candidates) {
  const auto nearest = base::nearest_match(word, candidates);
  return nearest ? "; did you mean " + *nearest + "?" : "";
}

std::vector<std::string> names(const Schema& schema) {
  std::vector<std::string> result;
  for (const KeyInfo& info : schema) result.push_back(info.name);
  return result;
}

// Returns the keys below `group.`, if it is a group.
std::vector<std::string> members(const Schema& schema, std::string_view group) {
  const Segments wanted = segments_of(group);
  std::vector<std::string> result = names(schema);
  std::erase_if(result, [&](const std::string& name) {
    const Segments pattern = segments_of(name);
    return pattern.size() <= wanted.size() || !begins_with(pattern, wanted);
  });
  return result;
}

// Fills the key's names into the pattern, to suggest "model.alias.fast" for "model.alais.fast".
std::string filled_in(const std::string& pattern, const Segments& key) {
  std::string name;
  const Segments segments = segments_of(pattern);
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const bool free = segments[i] == "*" && i < key.size();
    name.append(name.empty() ? "" : ".").append(free ? key[i] : segments[i]);
  }
  return name;
}

std::vector<std::string> candidates(const Schema& schema, std::string_view key) {
  std::vector<std::string> result = names(schema);
  for (std::string& name : result) name = filled_in(name, segments_of(key));
  return result;
}

// Advice for people who try to store an API key. Empty for other keys.
std::string cure_for_literal_key(std::string_view key) {
  constexpr std::array<std::string_view, 6> kNames = {"key",    "api_key",  "apikey",
                                                      "secret", "password", "token"};
  const Segments segments = segments_of(key);
  if (segments.size() != 3 || segments[0] != "provider" ||
      std::ranges::find(kNames, segments[2]) == kNames.end()) {
    return {};
  }
  return "; do not keep keys in files: put the key into an environment variable and name that in "
         "provider." +
         std::string(segments[1]) + ".key_env";
}

// Advice for people who treat `[[validation]]` as a group of settings. Empty for other keys.
std::string cure_for_table(std::string_view key) {
  const TableInfo* table = find_table(segments_of(key).front());
  if (table == nullptr) return {};
  return "; there can be several: begin each with a line [[" + table->name +
         "]], and below it are " + base::joined(names(table->keys));
}

std::string bounds(const KeyInfo& info) {
  if (!info.least) return {};
  const std::string least = std::to_string(*info.least);
  return info.most ? " from " + least + " to " + std::to_string(*info.most)
                   : ", " + least + " or more";
}

}  // namespace

const Schema& schema() {
  static const Schema kSchema = internal::all_keys();
  return kSchema;
}

const TableSchema& table_schema() {
  static const TableSchema kTables = internal::all_tables();
  return kTables;
}

const TableInfo* find_table(std::string_view name) {
  const auto found = std::ranges::find(table_schema(), name, &TableInfo::name);
  return found == table_schema().end() ? nullptr : &*found;
}

const KeyInfo* find_key(std::string_view name) { return find_key(schema(), name); }

const KeyInfo* find_key(const Schema& schema, std::string_view name) {
  const auto found =
      std::ranges::find_if(schema, [&](const KeyInfo& info) { return matches(info, name); });
  return found == schema.end() ? nullptr : &*found;
}

base::Result<void> check_value(const KeyInfo& info, std::string_view key, std::string_view text) {
  if (info.type == Type::kRules) return check_rules(key, rules_of(text));
  if (info.type == Type::kRule) return check_rules(key, {std::string(text)});
  if (is_valid(info, text)) return {};
  if (info.type == Type::kVariable) {
    return base::invalid_argument(std::string(key) + ": the value is not " + expectation(info) +
                                  "; if it is the key itself, put it into a variable and name "
                                  "that here");
  }
  return base::invalid_argument(std::string(key) + ": " + internal::shown(text) + " is not " +
                                expectation(info) + suggestion(text, info.allowed));
}

std::string expectation(const KeyInfo& info) {
  switch (info.type) {
    case Type::kString:
      return "UTF-8 text";
    case Type::kModel:
      return "a model such as provider/model";
    case Type::kInteger:
      return "a whole number" + bounds(info);
    case Type::kNumber:
      return "a number" + bounds(info);
    case Type::kBoolean:
      return "true or false";
    case Type::kChoice:
      return "one of " + base::joined(info.allowed);
    case Type::kDuration:
      return "a duration such as 250ms, 30s, 5m or 2h";
    case Type::kSize:
      return "a size such as 512MiB, 4GiB or 50%, or 0";
    case Type::kList:
      return "a list of texts";
    case Type::kModels:
      return "a list of models such as provider/model";
    case Type::kRule:
      return "a rule such as run_command(git push *)";
    case Type::kRules:
      return "a list of rules such as run_command(git push *)";
    case Type::kTools:
      return "a list of tools such as run_command or mcp__*, without their arguments: "
             "rules with arguments belong into permissions.deny, .ask and .allow";
    case Type::kVariable:
      return "the name of an environment variable such as WORK_API_KEY";
    case Type::kCommand:
      return "a command for the shell such as \"make test\", or a program and its arguments as a "
             "list";
    case Type::kObject:
      return "a table such as { path = \"src\" }, or JSON in quotes";
  }
  return "a value";
}

std::chrono::milliseconds duration_of(std::string_view text) {
  std::int64_t number = 0;
  const char* end = text.data() + text.size();
  const std::string_view unit(std::from_chars(text.data(), end, number).ptr, end);
  if (unit == "h") return std::chrono::hours(number);
  if (unit == "m") return std::chrono::minutes(number);
  if (unit == "s") return std::chrono::seconds(number);
  return std::chrono::milliseconds(number);
}

std::uint64_t size_of(std::string_view text, std::uint64_t whole) {
  std::uint64_t number = 0;
  const char* end = text.data() + text.size();
  const std::string_view unit(std::from_chars(text.data(), end, number).ptr, end);
  if (unit == "%") return whole / 100 * number;
  return number << shift_of(unit).value_or(0);
}

bool is_list(Type type) noexcept {
  using enum Type;
  return type == kList || type == kModels || type == kRules || type == kTools;
}

std::vector<std::string> list_of(std::string_view text) {
  std::vector<std::string> items;
  if (is_blank(text)) return items;
  for (const auto part : text | std::views::split(',')) {
    items.push_back(trimmed({part.begin(), part.end()}));
  }
  return items;
}

std::vector<std::string> rules_of(std::string_view text) {
  std::vector<std::string> rules;
  if (is_blank(text)) return rules;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '(') ++depth;
    if (text[at] == ')') --depth;
    if (text[at] != ',' || depth > 0) continue;
    rules.push_back(trimmed(text.substr(begin, at - begin)));
    begin = at + 1;
  }
  rules.push_back(trimmed(text.substr(begin)));
  return rules;
}

base::Error unknown_key(const Schema& schema, std::string_view key) {
  const std::string name = internal::shown(key);
  if (const auto inside = members(schema, key); !inside.empty()) {
    return base::invalid_argument(
        name + " is a group of settings, not a setting: " + base::joined(inside));
  }
  if (const std::string cure = cure_for_literal_key(key); !cure.empty()) {
    return base::invalid_argument("there is no setting " + name + cure);
  }
  if (const std::string cure = cure_for_table(key); !cure.empty()) {
    return base::invalid_argument("there is no setting " + name + cure);
  }
  const std::string guess = suggestion(key, candidates(schema, key));
  return base::invalid_argument("there is no setting " + name +
                                (guess.empty() ? "; `agents config list` lists them all" : guess));
}

base::Error unknown_key(const TableInfo& table, std::string_view key) {
  const std::vector<std::string> known = names(table.keys);
  const std::string guess = suggestion(key, known);
  return base::invalid_argument("[[" + table.name + "]] has no key " + internal::shown(key) +
                                (guess.empty() ? "; there are " + base::joined(known) : guess));
}

std::string environment_name(std::string_view key) {
  std::string name = "CLEVERAGENTS_";
  for (const char c : key) {
    if (c >= 'a' && c <= 'z') {
      name += static_cast<char>(c - 'a' + 'A');
    } else {
      name += c == '.' || c == '-' ? '_' : c;
    }
  }
  return name;
}

}  // namespace clever::config
