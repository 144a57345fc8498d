#include <algorithm>
#include <span>
#include <utility>

#include "provider/scripted/internal/script_reader.h"
#include "provider/scripted/internal/script_values.h"

namespace clever::provider::internal {
namespace {

constexpr std::int64_t kMostTurns = 1'000'000;

using ReadMatch = base::Result<void> (*)(const YamlField&, ScriptMatch&);

template <std::vector<std::string> ScriptMatch::* Member>
base::Result<void> match_texts(const YamlField& field, ScriptMatch& match) {
  CLEVER_ASSIGN(match.*Member, read_texts(field));
  return {};
}
template <std::string ScriptMatch::* Member>
base::Result<void> match_text(const YamlField& field, ScriptMatch& match) {
  CLEVER_ASSIGN(match.*Member, read_text(field));
  return {};
}
template <std::optional<Pattern> ScriptMatch::* Member>
base::Result<void> match_pattern(const YamlField& field, ScriptMatch& match) {
  CLEVER_ASSIGN(match.*Member, read_pattern(field));
  return {};
}
base::Result<void> match_turn(const YamlField& field, ScriptMatch& match) {
  CLEVER_ASSIGN(const std::int64_t number, read_integer(field, 1, kMostTurns));
  match.turn = static_cast<std::size_t>(number);
  return {};
}

constexpr std::pair<std::string_view, ReadMatch> kMatchReaders[] = {
    {"model", match_text<&ScriptMatch::model>},
    {"user", match_texts<&ScriptMatch::user>},
    {"user_regex", match_pattern<&ScriptMatch::user_regex>},
    {"any", match_texts<&ScriptMatch::any>},
    {"any_regex", match_pattern<&ScriptMatch::any_regex>},
    {"system", match_texts<&ScriptMatch::system>},
    {"system_regex", match_pattern<&ScriptMatch::system_regex>},
    {"tool", match_texts<&ScriptMatch::tool>},
    {"result", match_text<&ScriptMatch::result>},
    {"result_text", match_texts<&ScriptMatch::result_text>},
    {"result_regex", match_pattern<&ScriptMatch::result_regex>},
    {"turn", match_turn},
};

std::vector<std::string_view> known_keys() {
  std::vector<std::string_view> keys;
  for (const auto& [key, read] : kMatchReaders) keys.push_back(key);
  return keys;
}

}  // namespace

base::Result<ScriptMatch> read_match(const std::string& file, const YamlValue& node) {
  ScriptMatch match;
  if (!node.is(YamlKind::kMapping)) {
    return YamlField{file, "match", node}.wrong(
        "a mapping such as {user: hello}; leave it out to "
        "match always");
  }
  for (const auto& [key, value] : node.members) {
    const auto reader =
        std::ranges::find(kMatchReaders, key.text, [](const auto& entry) { return entry.first; });
    if (reader == std::end(kMatchReaders)) return unknown_key(file, key, known_keys());
    CLEVER_TRY(reader->second({file, key.text, value}, match));
  }
  return match;
}

}  // namespace clever::provider::internal
