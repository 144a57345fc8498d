#include "model/control_events.h"

#include <algorithm>
#include <array>

#include "model/internal/json_object.h"
#include "model/internal/names.h"

namespace clever::model {
namespace {

using internal::JsonObject;
using nlohmann::json;

constexpr std::array<std::string_view, 2> kModes{"revert", "append"};

Event event_of(std::string_view kind, const json& data) {
  return {std::string(kind), 1, internal::to_text(data)};
}

base::Result<std::int64_t> count_from(const JsonObject& object, std::string_view key,
                                      std::int64_t least) {
  CLEVER_ASSIGN(const std::int64_t number, object.integer_or(key, 0));
  if (number < least) return object.wrong(key, "a number from " + std::to_string(least));
  return number;
}

json validation_json(const ValidationResult& result) {
  json object{{"name", internal::storable(result.name)},
              {"required", result.required},
              {"passed", result.passed},
              {"took_ms", result.took.count()}};
  if (!result.ran) object["ran"] = false;
  internal::put_text(object, "outcome", result.outcome);
  internal::put_text(object, "output", result.output);
  return object;
}

base::Result<ValidationResult> result_of(const JsonObject& object) {
  ValidationResult read;
  CLEVER_ASSIGN(read.name, object.text("name"));
  CLEVER_ASSIGN(read.required, object.flag_or("required", true));
  CLEVER_ASSIGN(read.passed, object.flag_or("passed", false));
  CLEVER_ASSIGN(read.ran, object.flag_or("ran", true));
  CLEVER_ASSIGN(const std::int64_t took, count_from(object, "took_ms", 0));
  read.took = std::chrono::milliseconds(took);
  CLEVER_ASSIGN(read.outcome, object.text_or("outcome", ""));
  CLEVER_ASSIGN(read.output, object.text_or("output", ""));
  return read;
}

}  // namespace

std::string_view to_string(CorrectionMode mode) noexcept {
  return kModes.at(static_cast<std::size_t>(mode));
}

base::Result<CorrectionMode> parse_correction_mode(std::string_view text) {
  return internal::parse_name<CorrectionMode>(kModes, text, "way to correct");
}

Event PlanCorrected::to_event() const {
  json data{{"id", id.to_string()},    {"decision", decision.to_string()},
            {"mode", to_string(mode)}, {"guidance", guidance.to_hex()},
            {"bytes", bytes},          {"number", number}};
  internal::put_text(data, "tree_before", tree_before);
  internal::put_texts(data, "steps", steps);
  for (const DecisionId& one : decisions) data["decisions"].push_back(one.to_string());
  if (effect) data["effect"] = effect.to_string();
  return {std::string(kKind), 1, internal::to_text(data), {guidance}};
}

base::Result<PlanCorrected> PlanCorrected::parse(std::string_view data) {
  CLEVER_ASSIGN(const JsonObject object, JsonObject::parse(data, std::string(kKind)));
  PlanCorrected read;
  CLEVER_ASSIGN(read.id, object.id<DecisionId>("id"));
  CLEVER_ASSIGN(read.decision, object.id<DecisionId>("decision"));
  CLEVER_ASSIGN(const std::string mode, object.text("mode"));
  CLEVER_ASSIGN(read.mode, object.read("mode", parse_correction_mode(mode)));
  CLEVER_ASSIGN(read.guidance, object.digest("guidance"));
  CLEVER_ASSIGN(read.bytes, count_from(object, "bytes", 0));
  CLEVER_ASSIGN(read.tree_before, object.text_or("tree_before", ""));
  CLEVER_ASSIGN(read.steps, object.texts("steps"));
  CLEVER_ASSIGN(read.decisions, object.ids<DecisionId>("decisions"));
  if (read.decisions.size() != read.steps.size()) {
    return object.wrong("decisions", "a list of one id per step");
  }
  if (object.has("effect")) {
    CLEVER_ASSIGN(read.effect, object.id<EffectId>("effect"));
  }
  CLEVER_ASSIGN(read.number, count_from(object, "number", 1));
  return read;
}

bool ValidationsRan::passed() const noexcept {
  return std::ranges::all_of(
      results, [](const ValidationResult& one) { return one.passed || !one.required; });
}

Event ValidationsRan::to_event() const {
  json data{{"effect", effect.to_string()}, {"results", json::array()}};
  internal::put_text(data, "tree", tree);
  for (const ValidationResult& result : results) data["results"].push_back(validation_json(result));
  return event_of(kKind, data);
}

base::Result<ValidationsRan> ValidationsRan::parse(std::string_view data) {
  CLEVER_ASSIGN(const JsonObject object, JsonObject::parse(data, std::string(kKind)));
  ValidationsRan read;
  CLEVER_ASSIGN(read.effect, object.id<EffectId>("effect"));
  CLEVER_ASSIGN(read.tree, object.text_or("tree", ""));
  CLEVER_ASSIGN(const auto results, object.objects("results"));
  for (const JsonObject& one : results) {
    CLEVER_ASSIGN(ValidationResult result, result_of(one));
    read.results.push_back(std::move(result));
  }
  return read;
}

Event ApprovalRequested::to_event() const {
  json data{{"number", number}, {"subject", internal::storable(subject)}, {"items", json::array()}};
  for (const ApprovalItem& item : items) {
    json object{{"id", internal::storable(item.id)}, {"what", internal::storable(item.what)}};
    internal::put_text(object, "why", item.why);
    data["items"].push_back(std::move(object));
  }
  if (expires) data["expires"] = to_microseconds(*expires);
  return event_of(kKind, data);
}

base::Result<ApprovalRequested> ApprovalRequested::parse(std::string_view data) {
  CLEVER_ASSIGN(const JsonObject object, JsonObject::parse(data, std::string(kKind)));
  ApprovalRequested read;
  CLEVER_ASSIGN(read.number, count_from(object, "number", 1));
  CLEVER_ASSIGN(read.subject, object.text("subject"));
  CLEVER_ASSIGN(const auto items, object.objects("items"));
  for (const JsonObject& one : items) {
    ApprovalItem item;
    CLEVER_ASSIGN(item.id, one.text("id"));
    CLEVER_ASSIGN(item.what, one.text("what"));
    CLEVER_ASSIGN(item.why, one.text_or("why", ""));
    read.items.push_back(std::move(item));
  }
  CLEVER_ASSIGN(const std::int64_t expires, object.integer_or("expires", 0));
  if (expires != 0) read.expires = to_timestamp(expires);
  return read;
}

Event ApprovalGiven::to_event() const {
  json data{{"number", number}};
  internal::put_texts(data, "rejected", rejected);
  internal::put_text(data, "reason", reason);
  internal::put_text(data, "by", by);
  internal::put_texts(data, "remembered", remembered);
  return event_of(kKind, data);
}

base::Result<ApprovalGiven> ApprovalGiven::parse(std::string_view data) {
  CLEVER_ASSIGN(const JsonObject object, JsonObject::parse(data, std::string(kKind)));
  ApprovalGiven read;
  CLEVER_ASSIGN(read.number, count_from(object, "number", 1));
  CLEVER_ASSIGN(read.rejected, object.texts("rejected"));
  CLEVER_ASSIGN(read.reason, object.text_or("reason", ""));
  CLEVER_ASSIGN(read.by, object.text_or("by", ""));
  CLEVER_ASSIGN(read.remembered, object.texts("remembered"));
  return read;
}

Event ChangesChosen::to_event() const {
  json data{{"reviewed", reviewed.to_hex()}, {"kept", kept}, {"dropped", dropped}};
  internal::put_bytes(data, "edited", edited);
  return event_of(kKind, data);
}

base::Result<ChangesChosen> ChangesChosen::parse(std::string_view data) {
  CLEVER_ASSIGN(const JsonObject object, JsonObject::parse(data, std::string(kKind)));
  ChangesChosen read;
  CLEVER_ASSIGN(read.reviewed, object.digest("reviewed"));
  CLEVER_ASSIGN(read.kept, count_from(object, "kept", 0));
  CLEVER_ASSIGN(read.dropped, count_from(object, "dropped", 0));
  CLEVER_ASSIGN(read.edited, object.byte_strings("edited"));
  return read;
}

}  // namespace clever::model
