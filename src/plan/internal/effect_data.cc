#include "plan/internal/effect_data.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "plan/internal/json_text.h"

namespace clever::plan {
namespace {

using nlohmann::json;

json object_of(std::string_view data) {
  json value = json::parse(data, nullptr, false);
  return value.is_object() ? value : json::object();
}

std::string text_or_empty(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::string_view class_name(CallClass call_class) {
  switch (call_class) {
    case CallClass::kRead:
      return "read";
    case CallClass::kWrite:
      return "write";
    case CallClass::kOutside:
      return "outside";
  }
  return "outside";
}

// Calls of unknown classes need approval.
CallClass class_of(std::string_view name) {
  if (name == "read") return CallClass::kRead;
  return name == "write" ? CallClass::kWrite : CallClass::kOutside;
}

}  // namespace

bool own_work_is_open(const State& state) {
  return std::ranges::any_of(state.effects, [](const auto& one) { return is_own(one.second); });
}

std::string undo_data(const std::string& by) {
  return json_text(by.empty() ? json::object() : json{{"by", by}});
}
std::string read_undo_by(std::string_view data) { return text_or_empty(object_of(data), "by"); }

std::string tools_data(const ToolsData& data) {
  json calls = json::array();
  for (const ToolsData::Call& call : data.calls) {
    json one{{"id", call.id}, {"name", call.name}, {"class", class_name(call.call_class)}};
    if (!call.refused.empty()) one["refused"] = call.refused;
    calls.push_back(std::move(one));
  }
  return json_text({{"calls", std::move(calls)}, {"answer", data.answer}});
}

ToolsData read_tools(std::string_view data) {
  const json object = object_of(data);
  ToolsData read{.answer = text_or_empty(object, "answer")};
  const auto calls = object.find("calls");
  if (calls == object.end() || !calls->is_array()) return read;
  for (const json& call : *calls) {
    if (!call.is_object()) continue;
    read.calls.push_back({text_or_empty(call, "id"), text_or_empty(call, "name"),
                          class_of(text_or_empty(call, "class")), text_or_empty(call, "refused")});
  }
  return read;
}

std::string timer_data(const TimerData& data) {
  return json_text({{"due_us", model::to_microseconds(data.due)},
                    {"then", data.then},
                    {"data", object_of(data.data)}});
}

TimerData read_timer(std::string_view data) {
  const json object = object_of(data);
  TimerData read{.then = text_or_empty(object, "then")};
  const auto due = object.find("due_us");
  if (due != object.end() && due->is_number_integer()) {
    read.due = model::to_timestamp(due->get<std::int64_t>());
  }
  const auto inner = object.find("data");
  if (inner != object.end()) read.data = json_text(*inner);
  return read;
}

std::string turn_data(std::int64_t turn, const CallBounds& bounds, const CallBounds& whole) {
  json data{{"turn", turn}};
  if (bounds.max_output < whole.max_output) data["max_output"] = bounds.max_output;
  if (bounds.overhead_bytes < whole.overhead_bytes) data["overhead_bytes"] = bounds.overhead_bytes;
  return json_text(data);
}

std::string step_data(std::string_view step) { return json_text({{"step", step}}); }

std::string subplan_data(std::string_view step, std::int64_t attempt, const model::PlanId& child) {
  return json_text({{"step", step}, {"attempt", attempt}, {"child", child.to_string()}});
}

std::string merge_data(const std::vector<std::string>& steps) {
  return json_text({{"steps", steps}});
}

std::vector<std::string> read_merge(std::string_view data) {
  const json object = object_of(data);
  std::vector<std::string> steps;
  const auto written = object.find("steps");
  if (written == object.end() || !written->is_array()) return steps;
  for (const json& step : *written) {
    if (step.is_string()) steps.push_back(step.get<std::string>());
  }
  return steps;
}

std::string validate_data(std::string_view tree, EffectKind then) {
  return json_text({{"tree", tree}, {"then", then == EffectKind::kApply ? "apply" : "seal"}});
}

EffectKind read_validate(std::string_view data) {
  return text_or_empty(object_of(data), "then") == "apply" ? EffectKind::kApply : EffectKind::kSeal;
}

std::string seal_data(const model::ChangesetId& changeset) {
  return json_text({{"changeset", changeset.to_string()}});
}

std::string choose_data(const base::Sha256Digest& reviewed, const std::vector<std::string>& keep,
                        const std::string& edits) {
  return json_text({{"reviewed", reviewed.to_hex()}, {"keep", keep}, {"edits", edits}});
}

std::string step_of(std::string_view data) { return text_or_empty(object_of(data), "step"); }

model::Timestamp due_of(std::string_view data) { return read_timer(data).due; }

ResumeRule resume_rule(EffectKind kind, std::string_view data) {
  if (kind == EffectKind::kActorWork) return ResumeRule::kRestoreThenRepeat;
  if (kind != EffectKind::kTools) return ResumeRule::kRepeat;
  const ToolsData tools = read_tools(data);
  const bool outside = std::ranges::any_of(tools.calls, [](const ToolsData::Call& call) {
    return call.call_class == CallClass::kOutside && call.refused.empty();
  });
  return outside ? ResumeRule::kAsk : ResumeRule::kRestoreThenRepeat;
}

}  // namespace clever::plan
