#include "model/restored_events.h"

#include "model/internal/json_object.h"

namespace clever::model {
namespace {

using internal::JsonObject;
using nlohmann::json;

json data_of(const Event& event) { return json::parse(event.data); }

json words_json(const RestoredWords& words) {
  return {{"message", data_of(words.message.to_event())},
          {"correction", words.correction.to_string()}};
}

json step_json(const RestoredStep& step) {
  json object{{"added", data_of(step.added.to_event())}, {"moved", data_of(step.moved.to_event())}};
  if (step.moved_at != 0) object["moved_at"] = step.moved_at;
  if (step.merged_at != 0) object["merged_at"] = step.merged_at;
  for (const RestoredWords& words : step.guidance) object["guidance"].push_back(words_json(words));
  return object;
}

json decision_json(const RestoredDecision& decision) {
  json object{{"id", decision.id.to_string()},
              {"kind", to_string(decision.kind)},
              {"sequence", decision.sequence}};
  if (decision.parent) object["parent"] = decision.parent.to_string();
  return object;
}

base::Result<std::int64_t> count_of(const JsonObject& object, std::string_view key) {
  CLEVER_ASSIGN(const std::int64_t number, object.integer_or(key, 0));
  if (number < 0) return object.wrong(key, "a number from 0");
  return number;
}

base::Result<RestoredWords> words_of(const JsonObject& object) {
  RestoredWords words;
  CLEVER_ASSIGN(words.message,
                object.read("message", MessageAdded::parse(object.json_text("message"))));
  CLEVER_ASSIGN(words.correction, object.id<DecisionId>("correction"));
  return words;
}

base::Result<std::vector<RestoredWords>> guidance_of(const JsonObject& object) {
  std::vector<RestoredWords> guidance;
  CLEVER_ASSIGN(const std::vector<JsonObject> written, object.objects("guidance"));
  for (const JsonObject& one : written) {
    CLEVER_ASSIGN(RestoredWords words, words_of(one));
    guidance.push_back(std::move(words));
  }
  return guidance;
}

base::Result<RestoredStep> restored_step_of(const JsonObject& object) {
  RestoredStep step;
  CLEVER_ASSIGN(step.added, object.read("added", StepAdded::parse(object.json_text("added"))));
  CLEVER_ASSIGN(step.moved, object.read("moved", StepMoved::parse(object.json_text("moved"))));
  CLEVER_ASSIGN(step.moved_at, count_of(object, "moved_at"));
  CLEVER_ASSIGN(step.merged_at, count_of(object, "merged_at"));
  CLEVER_ASSIGN(step.guidance, guidance_of(object));
  return step;
}

base::Result<RestoredDecision> decision_of(const JsonObject& object) {
  RestoredDecision decision;
  CLEVER_ASSIGN(decision.id, object.id<DecisionId>("id"));
  CLEVER_ASSIGN(decision.parent, object.id_or_none<DecisionId>("parent"));
  CLEVER_ASSIGN(const std::string kind, object.text("kind"));
  CLEVER_ASSIGN(decision.kind, object.read("kind", parse_decision_kind(kind)));
  CLEVER_ASSIGN(decision.sequence, count_of(object, "sequence"));
  return decision;
}

base::Result<std::vector<MessageAdded>> messages_of(const JsonObject& object,
                                                    std::string_view key) {
  std::vector<MessageAdded> messages;
  CLEVER_ASSIGN(const std::vector<JsonObject> written, object.objects(key));
  for (const JsonObject& one : written) {
    CLEVER_ASSIGN(MessageAdded message,
                  one.read("message", MessageAdded::parse(one.json_text("message"))));
    messages.push_back(message);
  }
  return messages;
}

void put_messages(json& data, const char* key, const std::vector<MessageAdded>& messages) {
  for (const MessageAdded& message : messages) {
    data[key].push_back({{"message", data_of(message.to_event())}});
  }
}

base::Result<std::vector<base::Sha256Digest>> prompts_of(const JsonObject& object) {
  std::vector<base::Sha256Digest> prompts;
  CLEVER_ASSIGN(const std::vector<std::string> written, object.texts("prompts"));
  for (const std::string& one : written) {
    CLEVER_ASSIGN(const auto digest, object.read("prompts", base::Sha256Digest::from_hex(one)));
    prompts.push_back(digest);
  }
  return prompts;
}

base::Result<void> read_lists(const JsonObject& object, WorkRestored& restored) {
  CLEVER_ASSIGN(const std::vector<JsonObject> steps, object.objects("steps"));
  for (const JsonObject& one : steps) {
    CLEVER_ASSIGN(RestoredStep step, restored_step_of(one));
    restored.steps.push_back(std::move(step));
  }
  CLEVER_ASSIGN(const std::vector<JsonObject> decisions, object.objects("decisions"));
  for (const JsonObject& one : decisions) {
    CLEVER_ASSIGN(const RestoredDecision decision, decision_of(one));
    restored.decisions.push_back(decision);
  }
  CLEVER_ASSIGN(restored.messages, messages_of(object, "messages"));
  CLEVER_ASSIGN(restored.pending_prompts, messages_of(object, "pending_prompts"));
  CLEVER_ASSIGN(restored.prompts, prompts_of(object));
  CLEVER_ASSIGN(restored.guidance, guidance_of(object));
  if (!object.has("merged")) return {};
  CLEVER_ASSIGN(ChildrenMerged merged,
                object.read("merged", ChildrenMerged::parse(object.json_text("merged"))));
  restored.conflicts = std::move(merged.conflicts);
  return {};
}

}  // namespace

Event WorkRestored::to_event() const {
  json data{{"tree", internal::storable(tree)}, {"to_sequence", to_sequence}};
  internal::put_text(data, "summary", summary);
  if (strategy) data["strategy"] = strategy.to_string();
  if (decision) data["decision"] = decision.to_string();
  for (const RestoredStep& step : steps) data["steps"].push_back(step_json(step));
  for (const RestoredDecision& one : decisions) data["decisions"].push_back(decision_json(one));
  put_messages(data, "messages", messages);
  if (turns != 0) data["turns"] = turns;
  if (calls != 0) data["calls"] = calls;
  for (const base::Sha256Digest& prompt : prompts) data["prompts"].push_back(prompt.to_hex());
  put_messages(data, "pending_prompts", pending_prompts);
  for (const RestoredWords& words : guidance) data["guidance"].push_back(words_json(words));
  if (!conflicts.empty()) {
    data["merged"] = data_of(ChildrenMerged{.conflicts = conflicts}.to_event());
  }
  return {std::string(kKind), 1, internal::to_text(data)};
}

base::Result<WorkRestored> WorkRestored::parse(std::string_view data) {
  CLEVER_ASSIGN(const JsonObject object, JsonObject::parse(data, std::string(kKind)));
  WorkRestored restored;
  CLEVER_ASSIGN(restored.tree, object.text("tree"));
  CLEVER_ASSIGN(restored.to_sequence, object.integer("to_sequence"));
  CLEVER_ASSIGN(restored.summary, object.text_or("summary", ""));
  CLEVER_ASSIGN(restored.strategy, object.id_or_none<DecisionId>("strategy"));
  CLEVER_ASSIGN(restored.decision, object.id_or_none<DecisionId>("decision"));
  CLEVER_ASSIGN(restored.turns, count_of(object, "turns"));
  CLEVER_ASSIGN(restored.calls, count_of(object, "calls"));
  CLEVER_TRY(read_lists(object, restored));
  return restored;
}

}  // namespace clever::model
