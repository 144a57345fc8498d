#include "model/plan_events.h"

#include "model/internal/json_object.h"

namespace clever::model {
namespace {

using internal::JsonObject;
using nlohmann::json;

base::Result<Phase> phase_of(const JsonObject& object) {
  CLEVER_ASSIGN(const std::string text, object.text("phase"));
  return object.read("phase", parse_phase(text));
}

base::Result<PlanState> plan_state_of(const JsonObject& object) {
  CLEVER_ASSIGN(const std::string text, object.text("state"));
  return object.read("state", parse_plan_state(text));
}

}  // namespace

Event PlanCreated::to_event() const {
  json data{{"title", internal::storable(title)},
            {"action", internal::storable(action)},
            {"project", internal::storable(project)},
            {"phase", to_string(phase)},
            {"state", to_string(state)}};
  if (parent) data["parent"] = parent.to_string();
  return {std::string(kKind), 1, internal::to_text(data)};
}

base::Result<PlanCreated> PlanCreated::parse(std::string_view data) {
  CLEVER_ASSIGN(const JsonObject object, JsonObject::parse(data, std::string(kKind)));
  PlanCreated created;
  CLEVER_ASSIGN(created.parent, object.id_or_none<PlanId>("parent"));
  CLEVER_ASSIGN(created.title, object.text("title"));
  CLEVER_ASSIGN(created.action, object.text("action"));
  CLEVER_ASSIGN(created.project, object.text("project"));
  CLEVER_ASSIGN(created.phase, phase_of(object));
  CLEVER_ASSIGN(created.state, plan_state_of(object));
  return created;
}

Event PlanMoved::to_event() const {
  json data{{"phase", to_string(phase)}, {"state", to_string(state)}};
  internal::put_text(data, "reason", reason);
  internal::put_text(data, "waits_for", waits_for);
  return {std::string(kKind), 1, internal::to_text(data)};
}

base::Result<PlanMoved> PlanMoved::parse(std::string_view data) {
  CLEVER_ASSIGN(const JsonObject object, JsonObject::parse(data, std::string(kKind)));
  PlanMoved moved;
  CLEVER_ASSIGN(moved.phase, phase_of(object));
  CLEVER_ASSIGN(moved.state, plan_state_of(object));
  CLEVER_ASSIGN(moved.reason, object.text_or("reason", ""));
  CLEVER_ASSIGN(moved.waits_for, object.text_or("waits_for", ""));
  return moved;
}

}  // namespace clever::model
