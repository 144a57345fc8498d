#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "provider/scripted/internal/script_reader.h"
#include "provider/scripted/internal/script_values.h"
#include "provider/scripted/script_error.h"

namespace clever::provider::internal {
namespace {

constexpr std::int64_t kMostPieces = 1'000'000;
constexpr std::size_t kLongestText = std::size_t{64} << 20U;
constexpr std::int64_t kMostTokens = 1'000'000'000'000;

base::Result<void> read_usage_member(const YamlField& field, Usage& usage) {
  static constexpr std::array<std::string_view, 5> kKeys{"input", "output", "cache_read",
                                                         "cache_write", "reasoning"};
  static constexpr std::array kMembers{&Usage::input, &Usage::output, &Usage::cache_read,
                                       &Usage::cache_write, &Usage::reasoning};
  const auto found = std::ranges::find(kKeys, field.key);
  if (found == kKeys.end()) {
    YamlValue key = field.value;
    key.kind = YamlKind::kScalar;
    key.text = field.key;
    return unknown_key(field.file, key, kKeys);
  }
  CLEVER_ASSIGN(usage.*kMembers[static_cast<std::size_t>(found - kKeys.begin())],
                read_integer(field, 0, kMostTokens));
  return {};
}

base::Result<Usage> read_reply_usage(const YamlField& field) {
  if (!field.value.is(YamlKind::kMapping))
    return field.wrong("a mapping such as {input: 100, output: 20}");
  Usage usage{.known = true};
  for (const auto& [key, value] : field.value.members) {
    CLEVER_TRY(read_usage_member({field.file, key.text, value}, usage));
  }
  return usage;
}

base::Result<ScriptedToolCall> read_tool_call(const std::string& file, const YamlValue& node) {
  static constexpr std::array<std::string_view, 3> kKeys{"name", "arguments", "id"};
  if (!node.is(YamlKind::kMapping)) {
    return YamlField{file, "tool_calls", node}.wrong(
        "a list of mappings such as {name: read_file, arguments: {path: a.txt}}");
  }
  ScriptedToolCall call;
  for (const auto& [key, value] : node.members) {
    const YamlField field{file, key.text, value};
    if (key.text == "name") {
      CLEVER_ASSIGN(call.name, read_text(field));
    } else if (key.text == "id") {
      CLEVER_ASSIGN(call.id, read_text(field));
    } else if (key.text == "arguments") {
      if (value.is(YamlKind::kList)) {
        return field.wrong("a mapping from names to values, or the text that the model writes");
      }
      // A text is what the model wrote, JSON or not.
      call.arguments = value.is(YamlKind::kMapping) ? model::yaml_to_json(value) : value.text;
    } else {
      return unknown_key(file, key, kKeys);
    }
  }
  if (call.name.empty()) {
    return YamlField{file, "tool_calls", node}.error("a call needs the \"name\" of a tool");
  }
  return call;
}

base::Result<std::vector<ScriptedToolCall>> read_tool_calls(const YamlField& field) {
  std::vector<ScriptedToolCall> calls;
  if (!field.value.is(YamlKind::kList)) {
    CLEVER_ASSIGN(ScriptedToolCall call, read_tool_call(field.file, field.value));
    calls.push_back(std::move(call));
    return calls;
  }
  for (const YamlValue& item : field.value.items) {
    CLEVER_ASSIGN(ScriptedToolCall call, read_tool_call(field.file, item));
    calls.push_back(std::move(call));
  }
  if (calls.empty()) return field.wrong("a list of at least one call");
  return calls;
}

base::Result<ScriptedDamage> read_damage(const YamlField& field) {
  static constexpr std::array<std::string_view, 4> kNames{"json", "sse", "html", "length"};
  if (read_bool(field).ok()) {
    return read_bool(field).value() ? ScriptedDamage::kJson : ScriptedDamage::kNone;
  }
  CLEVER_ASSIGN(const std::size_t index, read_word(field, kNames));
  return static_cast<ScriptedDamage>(index + 1);
}

base::Result<StopReason> read_reply_stop(const YamlField& field) {
  static constexpr std::array<std::string_view, 2> kNames{"end", "length"};
  CLEVER_ASSIGN(const std::size_t index, read_word(field, kNames));
  return index == 0 ? StopReason::kEnd : StopReason::kLength;
}

base::Result<std::size_t> read_count(const YamlField& field, std::int64_t least) {
  CLEVER_ASSIGN(const std::int64_t count, read_integer(field, least, kMostPieces));
  return static_cast<std::size_t>(count);
}

using ReadReply = base::Result<void> (*)(const YamlField&, ScriptedReply&);

base::Result<void> assign_text(const YamlField& field, std::string& target) {
  CLEVER_ASSIGN(target, read_text(field));
  return {};
}

// Keys for the content of a reply.
constexpr std::pair<std::string_view, ReadReply> kContent[] = {
    {"reply", [](const YamlField& f, ScriptedReply& r) { return assign_text(f, r.text); }},
    {"reasoning", [](const YamlField& f, ScriptedReply& r) { return assign_text(f, r.reasoning); }},
    {"refusal", [](const YamlField& f, ScriptedReply& r) { return assign_text(f, r.refusal); }},
    {"tool_calls",
     [](const YamlField& f, ScriptedReply& r) -> base::Result<void> {
       CLEVER_ASSIGN(r.tool_calls, read_tool_calls(f));
       return {};
     }},
    {"error",
     [](const YamlField& f, ScriptedReply& r) -> base::Result<void> {
       CLEVER_ASSIGN(r.error, read_error(f.file, f.value));
       return {};
     }},
    {"stop",
     [](const YamlField& f, ScriptedReply& r) -> base::Result<void> {
       CLEVER_ASSIGN(r.stop, read_reply_stop(f));
       return {};
     }},
};

// Keys for how a reply is delivered.
constexpr std::pair<std::string_view, ReadReply> kManner[] = {
    {"usage",
     [](const YamlField& f, ScriptedReply& r) -> base::Result<void> {
       CLEVER_ASSIGN(r.usage, read_reply_usage(f));
       return {};
     }},
    {"delay",
     [](const YamlField& f, ScriptedReply& r) -> base::Result<void> {
       CLEVER_ASSIGN(r.delay, read_duration(f));
       return {};
     }},
    {"chunk",
     [](const YamlField& f, ScriptedReply& r) -> base::Result<void> {
       CLEVER_ASSIGN(r.chunk, read_count(f, 1));
       return {};
     }},
    {"chunk_delay",
     [](const YamlField& f, ScriptedReply& r) -> base::Result<void> {
       CLEVER_ASSIGN(r.chunk_delay, read_duration(f));
       return {};
     }},
    {"cut",
     [](const YamlField& f, ScriptedReply& r) -> base::Result<void> {
       CLEVER_ASSIGN(r.cut, read_count(f, 0));
       return {};
     }},
    {"malformed",
     [](const YamlField& f, ScriptedReply& r) -> base::Result<void> {
       CLEVER_ASSIGN(r.damage, read_damage(f));
       return {};
     }},
};

ReadReply reader_of(std::span<const std::pair<std::string_view, ReadReply>> readers,
                    std::string_view key) {
  const auto found =
      std::ranges::find(readers, key, [](const auto& reader) { return reader.first; });
  return found == readers.end() ? nullptr : found->second;
}

bool says_something(const ScriptedReply& reply, const YamlValue& node) {
  const bool has_reply = std::ranges::any_of(
      node.members, [](const auto& member) { return member.first.text == "reply"; });
  return has_reply || reply.error || !reply.tool_calls.empty() || !reply.refusal.empty() ||
         !reply.reasoning.empty() || reply.damage == ScriptedDamage::kHtml;
}

bool says_more_than_error(const ScriptedReply& reply) {
  return !reply.text.empty() || !reply.tool_calls.empty() || !reply.refusal.empty() ||
         !reply.reasoning.empty() || reply.cut || reply.damage != ScriptedDamage::kNone;
}

// A script can stand in for a model that never ends without being endless itself.
base::Result<void> repeat_text(const std::string& file, const YamlValue& node,
                               ScriptedReply& reply) {
  const auto found = std::ranges::find(node.members, "repeat",
                                       [](const auto& member) { return member.first.text; });
  if (found == node.members.end()) return {};
  const YamlField field{file, "repeat", found->second};
  CLEVER_ASSIGN(const std::size_t times, read_count(field, 1));
  if (reply.text.size() > kLongestText / times) {
    return field.error("the \"reply\" would be longer than " + std::to_string(kLongestText >> 20U) +
                       " MiB");
  }
  const std::string once = reply.text;
  reply.text.reserve(once.size() * times);
  for (std::size_t i = 1; i < times; ++i) reply.text += once;
  return {};
}

base::Result<ScriptedReply> checked(const std::string& file, const YamlValue& node,
                                    ScriptedReply reply) {
  const YamlField place{file, "reply", node};
  if (!says_something(reply, node)) {
    return place.error(
        "the rule answers nothing; give \"reply\", \"tool_calls\", \"refusal\" or "
        "\"error\"");
  }
  if (reply.error && says_more_than_error(reply)) {
    return YamlField{file, "error", node}.error("an error stands alone, with \"delay\" at most");
  }
  if (!reply.refusal.empty() && !reply.tool_calls.empty()) {
    return YamlField{file, "refusal", node}.error("a refusal has no \"tool_calls\"");
  }
  if (reply.cut && reply.damage != ScriptedDamage::kNone) {
    return YamlField{file, "cut", node}.error("\"cut\" and \"malformed\" exclude each other");
  }
  if (!reply.refusal.empty()) {
    reply.stop = StopReason::kRefusal;
  } else if (!reply.tool_calls.empty() && reply.stop == StopReason::kEnd) {
    reply.stop = StopReason::kToolCalls;
  }
  return reply;
}

}  // namespace

std::span<const std::string_view> answer_keys() {
  static constexpr std::array<std::string_view, 13> kKeys{
      "reply", "reasoning", "refusal",     "tool_calls", "error",     "stop",  "usage",
      "delay", "chunk",     "chunk_delay", "cut",        "malformed", "repeat"};
  return kKeys;
}

base::Result<ScriptedReply> read_reply(const std::string& file, const YamlValue& node,
                                       const ScriptedReply& defaults) {
  ScriptedReply reply = defaults;
  for (const auto& [key, value] : node.members) {
    ReadReply read = reader_of(kContent, key.text);
    if (read == nullptr) read = reader_of(kManner, key.text);
    if (read != nullptr) CLEVER_TRY(read({file, key.text, value}, reply));
  }
  CLEVER_TRY(repeat_text(file, node, reply));
  return checked(file, node, std::move(reply));
}

base::Result<ScriptedReply> read_defaults(const std::string& file, const YamlValue& node) {
  static constexpr std::array<std::string_view, 4> kKeys{"usage", "delay", "chunk", "chunk_delay"};
  if (!node.is(YamlKind::kMapping)) {
    return YamlField{file, "defaults", node}.wrong("a mapping such as {chunk_delay: 20ms}");
  }
  ScriptedReply defaults;
  for (const auto& [key, value] : node.members) {
    if (std::ranges::find(kKeys, key.text) == kKeys.end()) return unknown_key(file, key, kKeys);
    CLEVER_TRY(reader_of(kManner, key.text)({file, key.text, value}, defaults));
  }
  return defaults;
}

}  // namespace clever::provider::internal
