#include "provider/scripted/script_player.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "base/redact.h"
#include "base/utf8.h"
#include "provider/scripted/internal/templates.h"
#include "provider/scripted/script_error.h"

namespace clever::provider {
namespace {

// A token is about four bytes of English.
std::int64_t tokens(std::size_t bytes) {
  return static_cast<std::int64_t>(std::max<std::size_t>((bytes + 3) / 4, 1));
}

std::size_t output_bytes(const ScriptedReply& reply) {
  std::size_t bytes = reply.text.size() + reply.reasoning.size() + reply.refusal.size();
  for (const ScriptedToolCall& call : reply.tool_calls) {
    bytes += call.name.size() + call.arguments.size();
  }
  return bytes;
}

void complete(ScriptedReply& reply, const ScriptQuery& query) {
  std::size_t number = query.calls;
  for (ScriptedToolCall& call : reply.tool_calls) {
    ++number;
    if (call.id.empty()) call.id = "call_" + std::to_string(number);
  }
  if (reply.usage) return;
  reply.usage = Usage{.input = tokens(query.bytes),
                      .output = tokens(output_bytes(reply)),
                      .reasoning = reply.reasoning.empty() ? 0 : tokens(reply.reasoning.size()),
                      .known = true};
}

std::string place_of(const Script& script, const ScriptRule& rule) {
  return rule.name + " (" + script.file + ":" + std::to_string(rule.line) + ")";
}

std::string first_line(std::string_view text) {
  constexpr std::size_t kShown = 120;
  const std::string_view line = text.substr(0, text.find('\n'));
  const std::string_view shown = base::utf8_prefix(line, kShown);
  return base::redact(shown) + (shown.size() < text.size() ? "…" : "");
}

Failure no_rule(const Script& script, const ScriptQuery& query) {
  return {.kind = FailureKind::kScript,
          .message = "scripted: no rule of " + script.file + " answers this request (model \"" +
                     query.model + "\", turn " + std::to_string(query.turn) +
                     "); the user's last message is \"" + first_line(query.user) +
                     "\". Add a rule that matches it, or one without \"match\" at the end."};
}

Failure used_up(const Script& script, const ScriptRule& rule) {
  return {.kind = FailureKind::kScript,
          .message = "scripted: " + place_of(script, rule) + " has no further reply after its " +
                     std::to_string(rule.replies.size()) +
                     ". Add one to \"replies\", or write \"then: repeat\"."};
}

// Returns the number of the reply for a use, counted from 0, or nothing after the last one.
std::optional<std::size_t> reply_number(const ScriptRule& rule, std::size_t use) {
  if (use < rule.replies.size()) return use;
  if (rule.then == ScriptThen::kLoop) return use % rule.replies.size();
  if (rule.then == ScriptThen::kRepeat) return rule.replies.size() - 1;
  return std::nullopt;
}

void add_pieces(std::vector<Delta>& deltas, std::string_view text, std::size_t size,
                const std::function<Delta(std::string)>& make) {
  while (!text.empty()) {
    std::string_view piece = base::utf8_prefix(text, size);
    // Never cuts a character that is larger than a piece.
    if (piece.empty()) piece = text.substr(0, base::decode_utf8(text, 0).size);
    deltas.push_back(make(std::string(piece)));
    text.remove_prefix(piece.size());
  }
}

struct Damage {
  FailureKind kind;
  std::string_view what;
};

std::optional<Damage> damage_of(const ScriptedReply& reply) {
  if (reply.cut || reply.damage == ScriptedDamage::kLength) {
    return Damage{FailureKind::kCut, "the answer ended before it was whole"};
  }
  switch (reply.damage) {
    case ScriptedDamage::kJson:
    case ScriptedDamage::kSse:
      return Damage{FailureKind::kMalformed, "the answer cannot be read"};
    case ScriptedDamage::kHtml:
      return Damage{FailureKind::kMisconfigured, "a page of HTML in place of an answer"};
    default:
      return std::nullopt;
  }
}

}  // namespace

ScriptPlayer::ScriptPlayer(Script script)
    : script_(std::move(script)), uses_(std::in_place, script_.rules.size()) {}

ScriptUses ScriptPlayer::uses() const {
  return uses_.with([](const ScriptUses& uses) { return uses; });
}

std::variant<ScriptedAnswer, Failure> ScriptPlayer::answer(const ScriptQuery& query) {
  for (std::size_t i = 0; i < script_.rules.size(); ++i) {
    const ScriptRule& rule = script_.rules[i];
    const auto groups = match_rule(rule.match, query);
    if (!groups) continue;
    const auto use = uses_.with([&](ScriptUses& uses) -> std::optional<std::size_t> {
      if (rule.times && uses[i] >= *rule.times) return std::nullopt;
      return uses[i]++;
    });
    if (!use) continue;
    const auto number = reply_number(rule, *use);
    if (!number) return used_up(script_, rule);
    ScriptedAnswer answer{rule.replies[*number], place_of(script_, rule)};
    internal::fill(answer.reply, *groups);
    complete(answer.reply, query);
    return answer;
  }
  return no_rule(script_, query);
}

ModelAnswer to_answer(const ScriptedReply& reply, const ScriptQuery& query) {
  ModelAnswer answer{.stop = reply.stop,
                     .stop_detail = std::string(to_string(reply.stop)),
                     .refusal = reply.refusal,
                     .usage = reply.usage.value_or(Usage{}),
                     .model = query.model};
  auto& parts = answer.message.parts;
  if (!reply.reasoning.empty()) parts.push_back(model::Reasoning{.text = reply.reasoning});
  if (!reply.text.empty()) parts.push_back(model::Text{reply.text});
  for (const ScriptedToolCall& call : reply.tool_calls) {
    parts.push_back(model::ToolCall{call.id, call.name, call.arguments});
  }
  return answer;
}

std::optional<Failure> failure_of(const ScriptedAnswer& answer, std::string_view provider) {
  const std::string start = std::string(provider) + ": ";
  const std::string end = " [" + answer.rule + "]";
  if (const auto damage = damage_of(answer.reply)) {
    return Failure{.kind = damage->kind, .message = start + std::string(damage->what) + end};
  }
  const auto& error = answer.reply.error;
  if (!error) return std::nullopt;
  const std::string what = error->message.empty()
                               ? "the script says \"" + std::string(to_string(error->kind)) + "\""
                               : error->message;
  return Failure{.kind = error->kind,
                 .message = start + base::redact(what) + end,
                 .status = error->status != 0 ? error->status : usual_status(error->kind),
                 .retry_after = error->retry_after};
}

std::vector<Delta> deltas_of(const ScriptedReply& reply) {
  std::vector<Delta> deltas;
  add_pieces(deltas, reply.reasoning, reply.chunk,
             [](std::string text) { return ReasoningDelta{std::move(text)}; });
  add_pieces(deltas, reply.text, reply.chunk,
             [](std::string text) { return TextDelta{std::move(text)}; });
  for (std::size_t i = 0; i < reply.tool_calls.size(); ++i) {
    const ScriptedToolCall& call = reply.tool_calls[i];
    deltas.emplace_back(ToolCallDelta{i, call.id, call.name, call.arguments});
  }
  return deltas;
}

}  // namespace clever::provider
