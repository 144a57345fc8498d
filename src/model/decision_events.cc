#include "model/decision_events.h"

#include "model/internal/json_object.h"

namespace clever::model {
namespace {

using internal::JsonObject;
using nlohmann::json;

base::Result<DecisionKind> kind_of(const JsonObject& object) {
  CLEVER_ASSIGN(const std::string text, object.text("kind"));
  return object.read("kind", parse_decision_kind(text));
}

base::Result<std::optional<double>> confidence_of(const JsonObject& object) {
  CLEVER_ASSIGN(const auto confidence, object.real("confidence"));
  // Written so that NaN, for which every comparison is false, is refused too.
  if (confidence && !(*confidence >= 0 && *confidence <= 1)) {
    return object.wrong("confidence", "between 0 and 1");
  }
  return confidence;
}

}  // namespace

Event DecisionRecorded::to_event() const {
  json data{{"id", id.to_string()},
            {"kind", to_string(kind)},
            {"question", internal::storable(question)},
            {"chosen", internal::storable(chosen)}};
  if (parent) data["parent"] = parent.to_string();
  internal::put_texts(data, "alternatives", alternatives);
  if (confidence) data["confidence"] = *confidence;
  internal::put_text(data, "rationale", rationale);
  Event event{std::string(kKind), 1, {}};
  if (context) {
    data["context"] = context->to_hex();
    event.bodies = {*context};
  }
  event.data = internal::to_text(data);
  return event;
}

base::Result<DecisionRecorded> DecisionRecorded::parse(std::string_view data) {
  CLEVER_ASSIGN(const JsonObject object, JsonObject::parse(data, std::string(kKind)));
  DecisionRecorded recorded;
  CLEVER_ASSIGN(recorded.id, object.id<DecisionId>("id"));
  CLEVER_ASSIGN(recorded.parent, object.id_or_none<DecisionId>("parent"));
  CLEVER_ASSIGN(recorded.kind, kind_of(object));
  CLEVER_ASSIGN(recorded.question, object.text("question"));
  CLEVER_ASSIGN(recorded.chosen, object.text("chosen"));
  CLEVER_ASSIGN(recorded.alternatives, object.texts("alternatives"));
  CLEVER_ASSIGN(recorded.confidence, confidence_of(object));
  CLEVER_ASSIGN(recorded.rationale, object.text_or("rationale", ""));
  if (object.has("context")) {
    CLEVER_ASSIGN(recorded.context, object.digest("context"));
  }
  return recorded;
}

Event DecisionSuperseded::to_event() const {
  json data{{"ids", json::array()}};
  for (const DecisionId& id : ids) data["ids"].push_back(id.to_string());
  return {std::string(kKind), 1, internal::to_text(data)};
}

base::Result<DecisionSuperseded> DecisionSuperseded::parse(std::string_view data) {
  CLEVER_ASSIGN(const JsonObject object, JsonObject::parse(data, std::string(kKind)));
  CLEVER_ASSIGN(const std::vector<std::string> texts, object.texts("ids"));
  DecisionSuperseded superseded;
  for (const std::string& text : texts) {
    CLEVER_ASSIGN(const DecisionId id, object.read("ids", DecisionId::parse(text)));
    superseded.ids.push_back(id);
  }
  return superseded;
}

}  // namespace clever::model
