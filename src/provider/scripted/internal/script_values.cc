#include "provider/scripted/internal/script_values.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/nearest.h"
#include "base/number.h"

namespace clever::provider::internal {
namespace {

using nlohmann::json;

struct Unit {
  std::string_view name;
  double milliseconds;
};
// "ms" before "m" and "s": the first match counts.
constexpr Unit kUnits[] = {{"ms", 1}, {"s", 1000}, {"m", 60'000}, {"h", 3'600'000}};
constexpr double kWeek = 7.0 * 24 * 3'600'000;

json to_json(const YamlNode& node);

json scalar_to_json(const YamlNode& node) {
  if (node.quoted) return node.text;
  if (node.text == "true") return true;
  if (node.text == "false") return false;
  if (const auto integer = base::to_number<std::int64_t>(node.text)) return *integer;
  const bool numeric = node.text.find_first_not_of("0123456789+-.eE") == std::string::npos;
  const auto real = numeric ? base::to_number<double>(node.text) : std::nullopt;
  if (real && std::isfinite(*real)) return *real;
  return node.text;
}

json list_to_json(const YamlNode& node) {
  json list = json::array();
  for (const YamlNode& item : node.items) list.push_back(to_json(item));
  return list;
}

json to_json(const YamlNode& node) {
  if (node.is_null()) return nullptr;
  if (node.is_scalar()) return scalar_to_json(node);
  if (node.is_list()) return list_to_json(node);
  json object = json::object();
  for (const auto& [key, value] : node.members) object[key.text] = to_json(value);
  return object;
}

std::string comma_list(std::span<const std::string_view> names) {
  std::string text;
  for (const std::string_view name : names) {
    if (!text.empty()) text += ", ";
    text += name;
  }
  return text;
}

}  // namespace

base::Error YamlField::error(std::string_view what) const {
  return base::invalid_argument(file + ":" + std::to_string(value.line) + ": \"" +
                                std::string(key) + "\": " + std::string(what));
}

base::Error YamlField::wrong(std::string_view wanted) const {
  return error("must be " + std::string(wanted) + ", not " + describe(value));
}

base::Result<std::string> read_text(const YamlField& field) {
  if (!field.value.is_scalar()) {
    return field.wrong("a text (quote it if it is \"null\", \"~\" or empty)");
  }
  return field.value.text;
}

base::Result<std::vector<std::string>> read_texts(const YamlField& field) {
  std::vector<std::string> texts;
  if (!field.value.is_list()) {
    CLEVER_ASSIGN(std::string text, read_text(field));
    texts.push_back(std::move(text));
    return texts;
  }
  for (const YamlNode& item : field.value.items) {
    CLEVER_ASSIGN(std::string text, read_text({field.file, field.key, item}));
    texts.push_back(std::move(text));
  }
  return texts;
}

base::Result<std::int64_t> read_integer(const YamlField& field, std::int64_t least,
                                        std::int64_t most) {
  const auto number = field.value.is_scalar() && !field.value.quoted
                          ? base::to_number<std::int64_t>(field.value.text)
                          : std::nullopt;
  if (!number || *number < least || *number > most) {
    return field.wrong("a whole number from " + std::to_string(least) + " to " +
                       std::to_string(most));
  }
  return *number;
}

base::Result<bool> read_bool(const YamlField& field) {
  const bool plain = field.value.is_scalar() && !field.value.quoted;
  if (plain && field.value.text == "true") return true;
  if (plain && field.value.text == "false") return false;
  return field.wrong("true or false");
}

base::Result<std::chrono::milliseconds> read_duration(const YamlField& field) {
  const std::string_view text = field.value.text;
  if (field.value.is_scalar() && text == "0") return std::chrono::milliseconds{0};
  for (const Unit& unit : kUnits) {
    if (!field.value.is_scalar() || !text.ends_with(unit.name)) continue;
    const auto number = base::to_number<double>(text.substr(0, text.size() - unit.name.size()));
    if (!number) break;
    const double time = *number * unit.milliseconds;
    if (!(time >= 0 && time <= kWeek)) break;
    return std::chrono::milliseconds(static_cast<std::int64_t>(std::llround(time)));
  }
  return field.wrong("a time such as 250ms, 1.5s, 14m or 2h, a week at most");
}

base::Result<Pattern> read_pattern(const YamlField& field) {
  CLEVER_ASSIGN(const std::string text, read_text(field));
  auto pattern = Pattern::compile(text);
  if (pattern.ok()) return pattern;
  return field.error(describe(field.value) +
                     " is no regular expression: " + pattern.error().message());
}

base::Result<std::size_t> read_word(const YamlField& field,
                                    std::span<const std::string_view> names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (field.value.is_scalar() && field.value.text == names[i]) return i;
  }
  return field.wrong("one of " + comma_list(names));
}

std::string to_json_text(const YamlNode& node) { return to_json(node).dump(); }

base::Error unknown_key(const std::string& file, const YamlNode& key,
                        std::span<const std::string_view> known) {
  const std::vector<std::string> candidates(known.begin(), known.end());
  std::string what = file + ":" + std::to_string(key.line) + ": there is no key " + describe(key);
  if (const auto meant = base::nearest_match(key.text, candidates)) {
    what += "; did you mean \"" + *meant + "\"?";
  } else {
    what += ".";
  }
  return base::invalid_argument(what + " Known here: " + comma_list(known));
}

}  // namespace clever::provider::internal
