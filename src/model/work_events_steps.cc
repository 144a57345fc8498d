// Events of strategies and steps.
#include <array>

#include "model/internal/json_object.h"
#include "model/internal/names.h"
#include "model/internal/strategy_json.h"
#include "model/work_events.h"

namespace clever::model {
namespace {

using internal::JsonObject;
using nlohmann::json;

constexpr std::array<std::string_view, 5> kStepStates{"pending", "running", "done", "failed",
                                                      "skipped"};

base::Result<JsonObject> object_at(const JsonObject& object, std::string_view key) {
  CLEVER_ASSIGN(auto inner, object.object(key));
  if (!inner) return object.wrong(key, "an object");
  return std::move(*inner);
}

}  // namespace

std::string_view to_string(StepState state) noexcept {
  return kStepStates.at(static_cast<std::size_t>(state));
}

Event StrategyAccepted::to_event() const {
  json data{{"strategy", internal::to_json(strategy)}};
  if (decision) data["decision"] = decision.to_string();
  for (const DecisionId& id : step_decisions) data["step_decisions"].push_back(id.to_string());
  return {std::string(kKind), 1, internal::to_text(data)};
}

base::Result<StrategyAccepted> StrategyAccepted::parse(std::string_view data) {
  CLEVER_ASSIGN(const JsonObject object, JsonObject::parse(data, std::string(kKind)));
  CLEVER_ASSIGN(const JsonObject written, object_at(object, "strategy"));
  StrategyAccepted accepted;
  CLEVER_ASSIGN(accepted.strategy, internal::strategy_of(written));
  CLEVER_TRY(object.read("strategy", accepted.strategy.check()));
  CLEVER_ASSIGN(accepted.decision, object.id_or_none<DecisionId>("decision"));
  CLEVER_ASSIGN(accepted.step_decisions, object.ids<DecisionId>("step_decisions"));
  return accepted;
}

Event StepAdded::to_event() const {
  json data{{"step", internal::to_json(step)}};
  if (decision) data["decision"] = decision.to_string();
  return {std::string(kKind), 1, internal::to_text(data)};
}

base::Result<StepAdded> StepAdded::parse(std::string_view data) {
  CLEVER_ASSIGN(const JsonObject object, JsonObject::parse(data, std::string(kKind)));
  CLEVER_ASSIGN(const JsonObject written, object_at(object, "step"));
  StepAdded added;
  CLEVER_ASSIGN(added.step, internal::step_of(written));
  CLEVER_ASSIGN(added.decision, object.id_or_none<DecisionId>("decision"));
  return added;
}

Event StepMoved::to_event() const {
  json data{{"step", internal::storable(step)}, {"state", to_string(state)}};
  if (child) data["child"] = child.to_string();
  if (attempt != 0) data["attempt"] = attempt;
  internal::put_text(data, "base", base);
  internal::put_text(data, "tree", tree);
  internal::put_bytes(data, "reads", reads);
  internal::put_text(data, "summary", summary);
  internal::put_text(data, "waits", waits);
  if (files != 0) data["files"] = files;
  return {std::string(kKind), 1, internal::to_text(data)};
}

base::Result<StepMoved> StepMoved::parse(std::string_view data) {
  CLEVER_ASSIGN(const JsonObject object, JsonObject::parse(data, std::string(kKind)));
  StepMoved moved;
  CLEVER_ASSIGN(moved.step, object.text("step"));
  CLEVER_ASSIGN(const std::string state, object.text("state"));
  CLEVER_ASSIGN(moved.state, object.read("state", internal::parse_name<StepState>(
                                                      kStepStates, state, "state of a step")));
  CLEVER_ASSIGN(moved.child, object.id_or_none<PlanId>("child"));
  CLEVER_ASSIGN(moved.attempt, object.integer_or("attempt", 0));
  CLEVER_ASSIGN(moved.base, object.text_or("base", ""));
  CLEVER_ASSIGN(moved.tree, object.text_or("tree", ""));
  CLEVER_ASSIGN(moved.reads, object.byte_strings("reads"));
  CLEVER_ASSIGN(moved.summary, object.text_or("summary", ""));
  CLEVER_ASSIGN(moved.waits, object.text_or("waits", ""));
  CLEVER_ASSIGN(moved.files, object.integer_or("files", 0));
  return moved;
}

Event WorkMoved::to_event() const {
  json data{{"tree", internal::storable(tree)}, {"why", internal::storable(why)}};
  if (to_sequence != 0) data["to_sequence"] = to_sequence;
  return {std::string(kKind), 1, internal::to_text(data)};
}

base::Result<WorkMoved> WorkMoved::parse(std::string_view data) {
  CLEVER_ASSIGN(const JsonObject object, JsonObject::parse(data, std::string(kKind)));
  WorkMoved moved;
  CLEVER_ASSIGN(moved.tree, object.text("tree"));
  CLEVER_ASSIGN(moved.why, object.text("why"));
  CLEVER_ASSIGN(moved.to_sequence, object.integer_or("to_sequence", 0));
  return moved;
}

Event WorkBegan::to_event() const {
  return {std::string(kKind), 1, internal::to_text({{"changeset", changeset.to_string()}})};
}

base::Result<WorkBegan> WorkBegan::parse(std::string_view data) {
  CLEVER_ASSIGN(const JsonObject object, JsonObject::parse(data, std::string(kKind)));
  WorkBegan began;
  CLEVER_ASSIGN(began.changeset, object.id<ChangesetId>("changeset"));
  return began;
}

}  // namespace clever::model
