#include "provider/scripted/internal/script_reader.h"

#include <algorithm>
#include <array>
#include <utility>

#include "provider/scripted/internal/script_values.h"
#include "provider/scripted/internal/templates.h"

namespace clever::provider::internal {
namespace {

constexpr std::int64_t kMostTimes = 1'000'000'000;

std::vector<std::string_view> rule_keys() {
  std::vector<std::string_view> keys{"name", "match", "times", "replies", "then"};
  keys.insert(keys.end(), answer_keys().begin(), answer_keys().end());
  return keys;
}

const YamlValue* member(const YamlValue& mapping, std::string_view key) {
  for (const auto& [name, value] : mapping.members) {
    if (name.text == key) return &value;
  }
  return nullptr;
}

base::Result<std::size_t> read_times(const YamlField& field) {
  if (field.value.is(YamlKind::kScalar) && field.value.text == "once") return std::size_t{1};
  const auto number = read_integer(field, 1, kMostTimes);
  if (!number.ok()) return field.wrong("\"once\" or a whole number from 1");
  return static_cast<std::size_t>(*number);
}

base::Result<ScriptThen> read_then(const YamlField& field) {
  static constexpr std::array<std::string_view, 3> kNames{"repeat", "loop", "error"};
  CLEVER_ASSIGN(const std::size_t index, read_word(field, kNames));
  return static_cast<ScriptThen>(index);
}

base::Result<ScriptedReply> read_listed(const std::string& file, const YamlValue& node,
                                        const ScriptedReply& defaults) {
  if (node.is(YamlKind::kScalar)) {
    ScriptedReply reply = defaults;
    reply.text = node.text;
    return reply;
  }
  if (!node.is(YamlKind::kMapping)) {
    return YamlField{file, "replies", node}.wrong(
        "a list of texts and of answers such as "
        "{reply: Done.}");
  }
  for (const auto& [key, value] : node.members) {
    if (std::ranges::find(answer_keys(), key.text) == answer_keys().end()) {
      return unknown_key(file, key, answer_keys());
    }
  }
  return read_reply(file, node, defaults);
}

base::Result<std::vector<ScriptedReply>> read_replies(const YamlField& field,
                                                      const ScriptedReply& defaults) {
  if (!field.value.is(YamlKind::kList) || field.value.items.empty()) {
    return field.wrong("a list of at least one answer");
  }
  std::vector<ScriptedReply> replies;
  for (const YamlValue& item : field.value.items) {
    CLEVER_ASSIGN(ScriptedReply reply, read_listed(field.file, item, defaults));
    replies.push_back(std::move(reply));
  }
  return replies;
}

class RuleReader {
 public:
  RuleReader(const std::string& file, const ScriptedReply& defaults)
      : file_(file), defaults_(defaults) {}

  base::Result<ScriptRule> read(const YamlValue& node, std::size_t number) {
    if (!node.is(YamlKind::kMapping)) {
      return YamlField{file_, "rules", node}.wrong(
          "a list of mappings with \"match\" and "
          "\"reply\"");
    }
    ScriptRule rule{.name = "rule " + std::to_string(number), .line = node.line};
    CLEVER_TRY(read_members(node, rule));
    CLEVER_TRY(read_answers(node, rule));
    CLEVER_TRY(check_groups(node, rule));
    return rule;
  }

 private:
  base::Result<void> read_members(const YamlValue& node, ScriptRule& rule) {
    for (const auto& [key, value] : node.members) {
      const YamlField field{file_, key.text, value};
      if (key.text == "name") {
        CLEVER_ASSIGN(rule.name, read_text(field));
      } else if (key.text == "match") {
        CLEVER_ASSIGN(rule.match, read_match(file_, value));
      } else if (key.text == "times") {
        CLEVER_ASSIGN(rule.times, read_times(field));
      } else if (key.text == "then") {
        CLEVER_ASSIGN(rule.then, read_then(field));
      } else if (key.text != "replies" &&
                 std::ranges::find(answer_keys(), key.text) == answer_keys().end()) {
        return unknown_key(file_, key, rule_keys());
      }
    }
    return {};
  }

  base::Result<void> read_answers(const YamlValue& node, ScriptRule& rule) {
    const YamlValue* replies = member(node, "replies");
    if (replies == nullptr) {
      CLEVER_ASSIGN(ScriptedReply reply, read_reply(file_, node, defaults_));
      rule.replies.push_back(std::move(reply));
      return {};
    }
    for (const auto& [key, value] : node.members) {
      if (std::ranges::find(answer_keys(), key.text) == answer_keys().end()) continue;
      return YamlField{file_, key.text, value}.error(
          "belongs into the items of \"replies\", or into \"defaults\"");
    }
    CLEVER_ASSIGN(rule.replies, read_replies({file_, "replies", *replies}, defaults_));
    return {};
  }

  base::Result<void> check_groups(const YamlValue& node, const ScriptRule& rule) {
    const std::size_t groups = groups_of(rule.match);
    if (groups == 0) return {};
    for (const ScriptedReply& reply : rule.replies) {
      const std::size_t used = highest_group(reply);
      if (used <= groups) continue;
      return YamlField{file_, "reply", node}.error("uses {" + std::to_string(used) +
                                                   "}, but the patterns of \"match\" have only " +
                                                   std::to_string(groups) + " groups");
    }
    return {};
  }

  const std::string& file_;
  const ScriptedReply& defaults_;
};

base::Error no_rules(const std::string& file, std::size_t line) {
  return base::invalid_argument(file + ":" + std::to_string(std::max<std::size_t>(line, 1)) +
                                ": \"rules\": there are none; a script needs at least one, such as "
                                "- reply: Hello.");
}

base::Result<void> check_top(const YamlValue& document, const std::string& file) {
  static constexpr std::array<std::string_view, 3> kKeys{"about", "defaults", "rules"};
  if (document.is(YamlKind::kNull)) return no_rules(file, document.line);
  if (!document.is(YamlKind::kMapping)) {
    return YamlField{file, "rules", document}.wrong("in a mapping with the key \"rules\"");
  }
  for (const auto& [key, value] : document.members) {
    if (std::ranges::find(kKeys, key.text) == kKeys.end()) return unknown_key(file, key, kKeys);
  }
  return {};
}

}  // namespace

base::Result<Script> read_script(const YamlValue& document, std::string file) {
  CLEVER_TRY(check_top(document, file));
  if (const YamlValue* about = member(document, "about")) {
    CLEVER_TRY(read_text({file, "about", *about}));
  }
  ScriptedReply defaults;
  if (const YamlValue* node = member(document, "defaults")) {
    CLEVER_ASSIGN(defaults, read_defaults(file, *node));
  }
  const YamlValue* rules = member(document, "rules");
  if (rules == nullptr || rules->is(YamlKind::kNull)) return no_rules(file, document.line);
  const YamlField field{file, "rules", *rules};
  if (!rules->is(YamlKind::kList)) return field.wrong("a list");
  if (rules->items.empty()) return no_rules(file, rules->line);
  if (rules->items.size() > Script::kMostRules) {
    return field.error("there are more than " + std::to_string(Script::kMostRules));
  }
  Script script{.file = file};
  RuleReader reader(file, defaults);
  for (const YamlValue& item : rules->items) {
    CLEVER_ASSIGN(ScriptRule rule, reader.read(item, script.rules.size() + 1));
    script.rules.push_back(std::move(rule));
  }
  return script;
}

}  // namespace clever::provider::internal
