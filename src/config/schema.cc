#include "config/schema.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/nearest.h"
#include "config/internal/text.h"

namespace clever::config {
namespace {

bool matches(const KeyInfo& info, std::string_view name) {
  if (!info.is_pattern()) return info.name == name;
  const std::string_view prefix = std::string_view(info.name).substr(0, info.name.size() - 1);
  return name.starts_with(prefix) && internal::is_bare_key(name.substr(prefix.size()));
}

template <class Number>
bool is_number(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return false;
  return std::isfinite(static_cast<double>(number));
}

bool is_duration(std::string_view text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  constexpr std::size_t kMostDigits = 9;
  if (digits == 0 || digits > kMostDigits) return false;
  const std::string_view unit = text.substr(digits);
  return unit == "ms" || unit == "s" || unit == "m" || unit == "h";
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

bool is_allowed(const KeyInfo& info, std::string_view text) {
  return std::ranges::find(info.allowed, text) != info.allowed.end();
}

bool is_valid(const KeyInfo& info, std::string_view text) {
  switch (info.type) {
    case Type::kString:
      return !internal::first_line_not_utf8(text) && text.find('\0') == std::string_view::npos;
    case Type::kModel:
      return is_model(text);
    case Type::kInteger:
      return is_number<std::int64_t>(text);
    case Type::kNumber:
      return is_number<double>(text);
    case Type::kBoolean:
      return text == "true" || text == "false";
    case Type::kChoice:
      return is_allowed(info, text);
    case Type::kDuration:
      return is_duration(text);
  }
  return false;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
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

// The keys below `group.`, if it is one.
std::vector<std::string> members(const Schema& schema, std::string_view group) {
  std::vector<std::string> result = names(schema);
  std::erase_if(result, [prefix = std::string(group) + "."](const std::string& name) {
    return !name.starts_with(prefix);
  });
  return result;
}

// For a mistyped group before a free name: "model.alais.fast" → "model.alias.fast".
std::vector<std::string> candidates(const Schema& schema, std::string_view key) {
  const std::string_view last = key.substr(std::min(key.rfind('.') + 1, key.size()));
  std::vector<std::string> result = names(schema);
  for (std::string& name : result) {
    if (name.ends_with(".*")) name.replace(name.size() - 1, 1, last);
  }
  return result;
}

Schema make_schema() {
  using enum Type;
  return {
      {.name = "model.default",
       .type = kModel,
       .description = "The model used where none is named",
       .flag = "--model"},
      {.name = "model.alias.*", .type = kModel, .description = "A short name for a model"},
      {.name = "output.format",
       .type = kChoice,
       .allowed = {"rich", "plain", "json", "yaml", "table"},
       .default_value = "rich",
       .description = "How results are printed; without a terminal rich becomes plain",
       .flag = "--format"},
      {.name = "output.color",
       .type = kChoice,
       .allowed = {"auto", "always", "never"},
       .default_value = "auto",
       .description = "Whether output is coloured",
       .flag = "--color"},
      {.name = "log.level",
       .type = kChoice,
       .allowed = {"trace", "debug", "info", "warn", "error", "off"},
       .default_value = "warn",
       .description = "The least severe messages that go to log.file"},
      {.name = "log.file",
       .description = "A file in which commands are recorded, as JSON lines; empty means none",
       .project_may_set = false},
      {.name = "database.url",
       .description = "The database; empty means SQLite in the home folder",
       .project_may_set = false,
       .flag = "--database"},
      {.name = "database.synchronous",
       .type = kChoice,
       .allowed = {"full", "normal"},
       .default_value = "full",
       .description = "full: what is reported done survives a loss of power; normal: faster, and a "
                      "loss of power (not a crash) may take the last moments",
       .project_may_set = false},
  };
}

}  // namespace

const Schema& schema() {
  static const Schema kSchema = make_schema();
  return kSchema;
}

const KeyInfo* find_key(std::string_view name) { return find_key(schema(), name); }

const KeyInfo* find_key(const Schema& schema, std::string_view name) {
  const auto found =
      std::ranges::find_if(schema, [&](const KeyInfo& info) { return matches(info, name); });
  return found == schema.end() ? nullptr : &*found;
}

base::Result<void> check_value(const KeyInfo& info, std::string_view key, std::string_view text) {
  if (is_valid(info, text)) return {};
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
      return "a whole number";
    case Type::kNumber:
      return "a number";
    case Type::kBoolean:
      return "true or false";
    case Type::kChoice:
      return "one of " + joined(info.allowed);
    case Type::kDuration:
      return "a duration such as 250ms, 30s, 5m or 2h";
  }
  return "a value";
}

base::Error unknown_key(const Schema& schema, std::string_view key) {
  const std::string name = internal::shown(key);
  if (const auto inside = members(schema, key); !inside.empty()) {
    return base::invalid_argument(name +
                                  " is a group of settings, not a setting: " + joined(inside));
  }
  const std::string guess = suggestion(key, candidates(schema, key));
  return base::invalid_argument("there is no setting " + name +
                                (guess.empty() ? "; there are " + joined(names(schema)) : guess));
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
