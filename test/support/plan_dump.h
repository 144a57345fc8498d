#pragma once
// A plan's state as text, field by field: what golden journals are compared by. A field that is
// missing here is one whose change nobody would notice.
#include <nlohmann/json.hpp>
#include <string>

#include "model/effect_events.h"
#include "model/strategy.h"
#include "plan/state.h"

namespace clever::test {

using nlohmann::json;

// What earlier releases did not know is told only where it is there, so that their journals are
// compared with what they were then.
inline json dump(const plan::OpenEffect& effect) {
  json result{
      {"kind", plan::to_string(effect.kind)}, {"data", json::parse(effect.data, nullptr, false)},
      {"reservation", effect.reservation},    {"money", effect.reserved.money},
      {"tokens", effect.reserved.tokens},     {"scopes", effect.scopes}};
  if (effect.stopping) result["stopping"] = true;
  return result;
}

inline json dump(const plan::TranscriptEntry& entry) {
  return {{"role", model::to_string(entry.role)},
          {"body", entry.body.to_hex()},
          {"bytes", entry.bytes},
          {"why", model::to_string(entry.why)}};
}

inline json dump(const plan::Step& step) {
  json result{{"id", step.definition.id},
              {"title", step.definition.title},
              {"detail", step.definition.detail},
              {"mode", model::to_string(step.definition.mode)},
              {"depends_on", step.definition.depends_on.value_or(std::vector<std::string>())},
              {"paths", step.definition.paths},
              {"state", model::to_string(step.state)},
              {"child", step.child.to_string()},
              {"attempt", step.attempt},
              {"base", step.base},
              {"tree", step.tree},
              {"reads", step.reads},
              {"summary", step.summary},
              {"merged", step.merged},
              {"waits", step.waits},
              {"decision", step.decision.to_string()},
              {"moved_at", step.moved_at},
              {"merged_at", step.merged_at}};
  for (const auto& words : step.guidance) result["guidance"].push_back(dump(words));
  return result;
}

inline json dump(const plan::CurrentChangeset& changeset) {
  return {{"id", changeset.id.to_string()},
          {"entries", changeset.entries},
          {"digest", changeset.digest ? changeset.digest->to_hex() : ""}};
}

inline json dump(const plan::State::Checkpoint& point) {
  return {{"sequence", point.sequence}, {"tree", point.tree}, {"why", point.why}};
}

inline json dump(const model::OpenConflict& conflict) {
  return {{"path", conflict.path},
          {"kind", conflict.kind},
          {"step", conflict.step},
          {"marked", conflict.marked}};
}

template <class T>
json dump(const std::vector<T>& list) {
  json result = json::array();
  for (const T& one : list) result.push_back(dump(one));
  return result;
}

template <class Id, class T>
json dump(const std::map<Id, T>& map) {
  json result = json::object();
  for (const auto& [id, one] : map) result[id.to_string()] = dump(one);
  return result;
}

/// The data of the event that a value was read from.
template <class T>
json dump_event(const std::optional<T>& value) {
  return value ? json::parse(value->to_event().data) : json();
}

inline json dump_identity(const plan::State& state) {
  return {{"id", state.id.to_string()},
          {"sequence", state.sequence},
          {"parent", state.parent.to_string()},
          {"title", state.title},
          {"action", state.action},
          {"project", state.project},
          {"settings", json::parse(state.settings.to_json())},
          {"created", model::to_microseconds(state.created)},
          {"phase", model::to_string(state.phase)},
          {"state", model::to_string(state.state)},
          {"reason", state.reason},
          {"waiting", static_cast<int>(state.waiting)},
          {"room_may_come", state.room_may_come},
          {"cancel_requested", state.cancel_requested},
          {"is_final", state.is_final()},
          {"is_at_rest", state.is_at_rest()},
          {"is_ready_to_apply", state.is_ready_to_apply()}};
}

inline json dump_work(const plan::State& state) {
  return {{"base", dump_event(state.base)},
          {"tree", state.tree},
          {"checkpoints", dump(state.checkpoints)},
          {"transcript", dump(state.transcript)},
          {"transcript_bytes", state.transcript_bytes},
          {"pending_prompts", dump(state.pending_prompts)},
          {"strategy_summary", state.strategy_summary},
          {"strategy_decision", state.strategy_decision.to_string()},
          {"steps", dump(state.steps)},
          {"active", state.active ? json(*state.active) : json()},
          {"turns_in_step", state.turns_in_step},
          {"reminders", state.reminders},
          {"effects", dump(state.effects)},
          {"reserved", dump(state.reserved)},
          {"unknown", state.unknown ? dump(*state.unknown) : json()},
          {"changeset", dump(state.changeset)},
          {"changesets", dump(state.changesets)},
          {"conflicts", dump(state.conflicts)},
          {"reads", state.reads}};
}

// Categories that came later are told where they count: earlier journals have none of them.
inline json dump_retries(const plan::State& state) {
  constexpr std::size_t kFirst = 12;
  json list = state.retries;
  while (list.size() > kFirst && list.back() == 0) list.erase(list.size() - 1);
  return list;
}

inline json dump_history(const plan::State& state) {
  json result{{"root_decision", state.root_decision.to_string()},
              {"decision", state.decision.to_string()},
              {"errors", state.errors},
              {"retries", dump_retries(state)},
              {"consecutive_errors", state.consecutive_errors},
              {"last_error", dump_event(state.last_error)},
              {"reversions", state.reversions},
              {"calls", state.usage.calls},
              {"input_tokens", state.usage.input_tokens},
              {"output_tokens", state.usage.output_tokens},
              {"cost", state.usage.cost},
              {"apply", dump_event(state.apply)},
              {"applied", dump_event(state.applied)},
              {"undone", state.undone}};
  for (const plan::AgentAnswer& one : state.agent_answers) {
    result["agent_answers"].push_back({one.id, one.what, one.allowed, one.reason});
  }
  for (const plan::HeldDecision& one : state.decisions) {
    result["decisions"].push_back({one.id.to_string(), one.sequence});
  }
  for (const auto& prompt : state.prompts) result["prompts"].push_back(prompt.to_hex());
  for (const auto& [hash, count] : state.recent_calls) {
    result["recent_calls"].push_back({hash.to_hex(), count});
  }
  // Journals of before it was told are compared with what they were then.
  if (state.context) result["context"] = state.context->to_hex();
  if (state.corrections == 0) return result;
  result["corrections"] = state.corrections;
  for (const auto& id : state.superseded) result["superseded"].push_back(id.to_string());
  return result;
}

inline std::string dump(const plan::State& state) {
  json result = dump_identity(state);
  result.update(dump_work(state));
  result.update(dump_history(state));
  return result.dump(1) + "\n";
}

}  // namespace clever::test
