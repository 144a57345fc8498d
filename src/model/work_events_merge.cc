// Events of merging the work of subplans.
#include "model/internal/json_object.h"
#include "model/work_events.h"

namespace clever::model {
namespace {

using internal::JsonObject;
using nlohmann::json;

json conflict_json(const OpenConflict& conflict) {
  json object{{"kind", internal::storable(conflict.kind)}};
  internal::put_bytes(object, "path", {conflict.path});
  internal::put_text(object, "step", conflict.step);
  internal::put_text(object, "marked", conflict.marked);
  return object;
}

base::Result<OpenConflict> conflict_of(const JsonObject& object) {
  OpenConflict conflict;
  CLEVER_ASSIGN(const std::vector<std::string> path, object.byte_strings("path"));
  if (path.size() != 1) return object.wrong("path", "an array of one path");
  conflict.path = path.front();
  CLEVER_ASSIGN(conflict.kind, object.text("kind"));
  CLEVER_ASSIGN(conflict.step, object.text_or("step", ""));
  CLEVER_ASSIGN(conflict.marked, object.text_or("marked", ""));
  return conflict;
}

}  // namespace

Event ChildrenMerged::to_event() const {
  json data = json::object();
  internal::put_texts(data, "steps", steps);
  for (const OpenConflict& conflict : conflicts)
    data["conflicts"].push_back(conflict_json(conflict));
  internal::put_texts(data, "stale_reads", stale_reads);
  return {std::string(kKind), 1, internal::to_text(data)};
}

base::Result<ChildrenMerged> ChildrenMerged::parse(std::string_view data) {
  CLEVER_ASSIGN(const JsonObject object, JsonObject::parse(data, std::string(kKind)));
  ChildrenMerged merged;
  CLEVER_ASSIGN(merged.steps, object.texts("steps"));
  CLEVER_ASSIGN(const std::vector<JsonObject> conflicts, object.objects("conflicts"));
  for (const JsonObject& written : conflicts) {
    CLEVER_ASSIGN(OpenConflict conflict, conflict_of(written));
    merged.conflicts.push_back(std::move(conflict));
  }
  CLEVER_ASSIGN(merged.stale_reads, object.texts("stale_reads"));
  return merged;
}

Event ConflictsResolved::to_event() const {
  json data = json::object();
  internal::put_bytes(data, "paths", paths);
  return {std::string(kKind), 1, internal::to_text(data)};
}

base::Result<ConflictsResolved> ConflictsResolved::parse(std::string_view data) {
  CLEVER_ASSIGN(const JsonObject object, JsonObject::parse(data, std::string(kKind)));
  ConflictsResolved resolved;
  CLEVER_ASSIGN(resolved.paths, object.byte_strings("paths"));
  return resolved;
}

}  // namespace clever::model
