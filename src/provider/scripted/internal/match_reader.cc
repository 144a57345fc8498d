#include <algorithm>
#include <span>
#include <utility>

#include "provider/scripted/internal/script_reader.h"
#include "provider/scripted/internal/script_values.h"

namespace clever::provider::internal {
namespace {

constexpr std::int64_t kMostTurns = 1'000'000;

using Read = base::Result<void> (*)(const YamlField&, ScriptMatch&);

template <std::vector<std::string> ScriptMatch::* Member>
base::Result<void> texts(const YamlField& field, ScriptMatch& match) {
  CLEVER_ASSIGN(match.*Member, read_texts(field));
  return {};
}
template <std::string ScriptMatch::* Member>
base::Result<void> text(const YamlField& field, ScriptMatch& match) {
  CLEVER_ASSIGN(match.*Member, read_text(field));
  return {};
}
template <std::optional<Pattern> ScriptMatch::* Member>
base::Result<void> pattern(const YamlField& field, ScriptMatch& match) {
  CLEVER_ASSIGN(match.*Member, read_pattern(field));
  return {};
}
base::Result<void> turn(const YamlField& field, ScriptMatch& match) {
  CLEVER_ASSIGN(const std::int64_t number, read_integer(field, 1, kMostTurns));
  match.turn = static_cast<std::size_t>(number);
  return {};
}

constexpr std::pair<std::string_view, Read> kReaders[] = {
    {"model", text<&ScriptMatch::model>},
    {"user", texts<&ScriptMatch::user>},
    {"user_regex", pattern<&ScriptMatch::user_regex>},
    {"any", texts<&ScriptMatch::any>},
    {"any_regex", pattern<&ScriptMatch::any_regex>},
    {"system", texts<&ScriptMatch::system>},
    {"system_regex", pattern<&ScriptMatch::system_regex>},
    {"tool", texts<&ScriptMatch::tool>},
    {"result", text<&ScriptMatch::result>},
    {"result_text", texts<&ScriptMatch::result_text>},
    {"result_regex", pattern<&ScriptMatch::result_regex>},
    {"turn", turn},
};

std::vector<std::string_view> known_keys() {
  std::vector<std::string_view> keys;
  for (const auto& [key, read] : kReaders) keys.push_back(key);
  return keys;
}

}  // namespace

base::Result<ScriptMatch> read_match(const std::string& file, const YamlNode& node) {
  ScriptMatch match;
  if (!node.is_mapping()) {
    return YamlField{file, "match", node}.wrong(
        "a mapping such as {user: hello}; leave it out to "
        "match always");
  }
  for (const auto& [key, value] : node.members) {
    const auto reader =
        std::ranges::find(kReaders, key.text, [](const auto& entry) { return entry.first; });
    if (reader == std::end(kReaders)) return unknown_key(file, key, known_keys());
    CLEVER_TRY(reader->second({file, key.text, value}, match));
  }
  return match;
}

}  // namespace clever::provider::internal
