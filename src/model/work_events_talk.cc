// Events of the conversation: messages, answers, tool calls.
#include <array>

#include "model/internal/json_object.h"
#include "model/internal/names.h"
#include "model/work_events.h"

namespace clever::model {
namespace {

using internal::JsonObject;
using nlohmann::json;

constexpr std::array<std::string_view, 6> kWhys{"step",    "prompt",   "answer",
                                                "results", "reminder", "summary"};

base::Result<Role> role_of(const JsonObject& object) {
  CLEVER_ASSIGN(const std::string role, object.text("role"));
  if (role == to_string(Role::kUser)) return Role::kUser;
  if (role == to_string(Role::kAssistant)) return Role::kAssistant;
  return object.wrong("role", "\"user\" or \"assistant\"");
}

base::Result<std::int64_t> amount_of(const JsonObject& object, std::string_view key) {
  CLEVER_ASSIGN(const std::int64_t number, object.integer(key));
  if (number < 0 || number > kLargestAmount) return object.wrong(key, "a number from 0");
  return number;
}

}  // namespace

std::string_view to_string(MessageWhy why) noexcept {
  return kWhys.at(static_cast<std::size_t>(why));
}

Event MessageAdded::to_event() const {
  const json data{{"role", to_string(role)},
                  {"body", body.to_hex()},
                  {"bytes", bytes},
                  {"why", to_string(why)}};
  return {std::string(kKind), 1, internal::to_text(data), {body}};
}

base::Result<MessageAdded> MessageAdded::parse(std::string_view data) {
  CLEVER_ASSIGN(const JsonObject object, JsonObject::parse(data, std::string(kKind)));
  MessageAdded added;
  CLEVER_ASSIGN(added.role, role_of(object));
  CLEVER_ASSIGN(added.body, object.digest("body"));
  CLEVER_ASSIGN(added.bytes, amount_of(object, "bytes"));
  CLEVER_ASSIGN(const std::string why, object.text("why"));
  CLEVER_ASSIGN(added.why, object.read("why", internal::parse_name<MessageWhy>(
                                                  kWhys, why, "reason for a message")));
  return added;
}

Event TranscriptCut::to_event() const {
  return {std::string(kKind), 1, internal::to_text({{"messages", messages}})};
}

base::Result<TranscriptCut> TranscriptCut::parse(std::string_view data) {
  CLEVER_ASSIGN(const JsonObject object, JsonObject::parse(data, std::string(kKind)));
  TranscriptCut cut;
  CLEVER_ASSIGN(cut.messages, amount_of(object, "messages"));
  return cut;
}

Event ModelAnswered::to_event() const {
  json data{{"effect", effect.to_string()},
            {"model", internal::storable(model)},
            {"input_tokens", input_tokens},
            {"output_tokens", output_tokens},
            {"cost", cost}};
  if (withheld != 0) data["withheld"] = withheld;
  Event event{std::string(kKind), 1, {}};
  if (context) {
    data["context"] = context->to_hex();
    event.bodies = {*context};
  }
  event.data = internal::to_text(data);
  return event;
}

base::Result<ModelAnswered> ModelAnswered::parse(std::string_view data) {
  CLEVER_ASSIGN(const JsonObject object, JsonObject::parse(data, std::string(kKind)));
  ModelAnswered answered;
  CLEVER_ASSIGN(answered.effect, object.id<EffectId>("effect"));
  CLEVER_ASSIGN(answered.model, object.text("model"));
  CLEVER_ASSIGN(answered.input_tokens, amount_of(object, "input_tokens"));
  CLEVER_ASSIGN(answered.output_tokens, amount_of(object, "output_tokens"));
  CLEVER_ASSIGN(answered.cost, amount_of(object, "cost"));
  if (object.has("context")) {
    CLEVER_ASSIGN(answered.context, object.digest("context"));
  }
  if (object.has("withheld")) {
    CLEVER_ASSIGN(answered.withheld, amount_of(object, "withheld"));
  }
  return answered;
}

Event ToolsRecorded::to_event() const {
  json data{{"effect", effect.to_string()}, {"calls", json::array()}};
  for (const ToolNote& call : calls) {
    json note{{"tool", internal::storable(call.tool)}, {"fingerprint", call.fingerprint.to_hex()}};
    if (call.failed) note["failed"] = true;
    if (!call.shown.empty()) note["shown"] = internal::storable(call.shown);
    if (!call.problem.empty()) note["problem"] = internal::storable(call.problem);
    if (call.took.count() > 0) note["took_ms"] = call.took.count();
    if (call.exit_code) note["exit_code"] = *call.exit_code;
    data["calls"].push_back(std::move(note));
  }
  internal::put_bytes(data, "reads", reads);
  return {std::string(kKind), 1, internal::to_text(data)};
}

base::Result<ToolsRecorded> ToolsRecorded::parse(std::string_view data) {
  CLEVER_ASSIGN(const JsonObject object, JsonObject::parse(data, std::string(kKind)));
  ToolsRecorded recorded;
  CLEVER_ASSIGN(recorded.effect, object.id<EffectId>("effect"));
  CLEVER_ASSIGN(const std::vector<JsonObject> calls, object.objects("calls"));
  for (const JsonObject& call : calls) {
    ToolNote note;
    CLEVER_ASSIGN(note.tool, call.text("tool"));
    CLEVER_ASSIGN(note.failed, call.flag_or("failed", false));
    CLEVER_ASSIGN(note.fingerprint, call.digest("fingerprint"));
    CLEVER_ASSIGN(note.shown, call.text_or("shown", ""));
    CLEVER_ASSIGN(note.problem, call.text_or("problem", ""));
    if (call.has("took_ms")) {
      CLEVER_ASSIGN(const std::int64_t took, amount_of(call, "took_ms"));
      note.took = std::chrono::milliseconds(took);
    }
    if (call.has("exit_code")) {
      CLEVER_ASSIGN(note.exit_code, call.integer("exit_code"));
    }
    recorded.calls.push_back(std::move(note));
  }
  CLEVER_ASSIGN(recorded.reads, object.byte_strings("reads"));
  return recorded;
}

}  // namespace clever::model
