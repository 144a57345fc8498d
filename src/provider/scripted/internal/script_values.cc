#include "provider/scripted/internal/script_values.h"

#include <cmath>
#include <optional>

#include "base/nearest.h"
#include "base/number.h"
#include "base/text.h"

namespace clever::provider::internal {
namespace {

struct Unit {
  std::string_view name;
  double milliseconds;
};
// "ms" before "m" and "s": the first match counts.
constexpr Unit kUnits[] = {{"ms", 1}, {"s", 1000}, {"m", 60'000}, {"h", 3'600'000}};
constexpr double kWeek = 7.0 * 24 * 3'600'000;

}  // namespace

base::Error YamlField::error(std::string_view what) const {
  return base::invalid_argument(file + ":" + std::to_string(value.line) + ": \"" +
                                std::string(key) + "\": " + std::string(what));
}

base::Error YamlField::wrong(std::string_view wanted) const {
  return error("must be " + std::string(wanted) + ", not " + describe(value));
}

base::Result<std::string> read_text(const YamlField& field) {
  if (!field.value.is(YamlKind::kScalar)) {
    return field.wrong("a text (quote it if it is \"null\", \"~\" or empty)");
  }
  return field.value.text;
}

base::Result<std::vector<std::string>> read_texts(const YamlField& field) {
  std::vector<std::string> texts;
  if (!field.value.is(YamlKind::kList)) {
    CLEVER_ASSIGN(std::string text, read_text(field));
    texts.push_back(std::move(text));
    return texts;
  }
  for (const YamlValue& item : field.value.items) {
    CLEVER_ASSIGN(std::string text, read_text({field.file, field.key, item}));
    texts.push_back(std::move(text));
  }
  return texts;
}

base::Result<std::int64_t> read_integer(const YamlField& field, std::int64_t least,
                                        std::int64_t most) {
  const auto number = field.value.is(YamlKind::kScalar) && !field.value.quoted
                          ? base::to_number<std::int64_t>(field.value.text)
                          : std::nullopt;
  if (!number || *number < least || *number > most) {
    return field.wrong("a whole number from " + std::to_string(least) + " to " +
                       std::to_string(most));
  }
  return *number;
}

base::Result<bool> read_bool(const YamlField& field) {
  const bool plain = field.value.is(YamlKind::kScalar) && !field.value.quoted;
  if (plain && field.value.text == "true") return true;
  if (plain && field.value.text == "false") return false;
  return field.wrong("true or false");
}

base::Result<std::chrono::milliseconds> read_duration(const YamlField& field) {
  const std::string_view text = field.value.text;
  if (field.value.is(YamlKind::kScalar) && text == "0") return std::chrono::milliseconds{0};
  for (const Unit& unit : kUnits) {
    if (!field.value.is(YamlKind::kScalar) || !text.ends_with(unit.name)) continue;
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
                     " is not a regular expression: " + pattern.error().message());
}

base::Result<std::size_t> read_word(const YamlField& field,
                                    std::span<const std::string_view> names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (field.value.is(YamlKind::kScalar) && field.value.text == names[i]) return i;
  }
  return field.wrong("one of " + base::joined(names));
}

base::Error unknown_key(const std::string& file, const YamlValue& key,
                        std::span<const std::string_view> known) {
  const std::vector<std::string> candidates(known.begin(), known.end());
  std::string what = file + ":" + std::to_string(key.line) + ": there is no key " + describe(key);
  if (const auto meant = base::nearest_match(key.text, candidates)) {
    what += "; did you mean \"" + *meant + "\"?";
  } else {
    what += ".";
  }
  return base::invalid_argument(what + " Known here: " + base::joined(known));
}

}  // namespace clever::provider::internal
