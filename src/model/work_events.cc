#include "model/work_events.h"

#include "model/internal/json_object.h"
#include "model/internal/plan_settings_json.h"
#include "model/internal/project_heads.h"

namespace clever::model {
namespace {

using internal::JsonObject;
using nlohmann::json;

base::Result<std::int64_t> bytes_of(const JsonObject& object) {
  CLEVER_ASSIGN(const std::int64_t bytes, object.integer("bytes"));
  if (bytes < 0) return object.wrong("bytes", "a number from 0");
  return bytes;
}

}  // namespace

Event PlanConfigured::to_event() const {
  return {std::string(kKind), 1, internal::to_text({{"settings", internal::to_json(settings)}})};
}

base::Result<PlanConfigured> PlanConfigured::parse(std::string_view data) {
  CLEVER_ASSIGN(const JsonObject object, JsonObject::parse(data, std::string(kKind)));
  CLEVER_ASSIGN(const auto written, object.object("settings"));
  if (!written) return object.wrong("settings", "an object");
  PlanConfigured configured;
  CLEVER_ASSIGN(configured.settings, internal::settings_of(*written));
  return configured;
}

Event PlanPrompted::to_event() const {
  json data{{"body", body.to_hex()}, {"bytes", bytes}};
  if (terms) data["terms"] = internal::to_json(*terms);
  return {std::string(kKind), 1, internal::to_text(data), {body}};
}

base::Result<PlanPrompted> PlanPrompted::parse(std::string_view data) {
  CLEVER_ASSIGN(const JsonObject object, JsonObject::parse(data, std::string(kKind)));
  PlanPrompted prompted;
  CLEVER_ASSIGN(prompted.body, object.digest("body"));
  CLEVER_ASSIGN(prompted.bytes, bytes_of(object));
  CLEVER_ASSIGN(prompted.terms, internal::terms_of(object, "terms"));
  return prompted;
}

Event BaseTaken::to_event() const {
  json data{{"tree", internal::storable(tree)}};
  internal::put_text(data, "branch", branch);
  internal::put_text(data, "commit", commit);
  internal::put_bytes(data, "uncommitted", uncommitted);
  internal::put_bytes(data, "submodules", submodules);
  internal::put_bytes(data, "filtered", filtered);
  internal::put_bytes(data, "hidden", hidden);
  internal::put_texts(data, "remarks", remarks);
  internal::put_heads(data, projects);
  return {std::string(kKind), 1, internal::to_text(data)};
}

base::Result<BaseTaken> BaseTaken::parse(std::string_view data) {
  CLEVER_ASSIGN(const JsonObject object, JsonObject::parse(data, std::string(kKind)));
  BaseTaken taken;
  CLEVER_ASSIGN(taken.tree, object.text("tree"));
  CLEVER_ASSIGN(taken.branch, object.text_or("branch", ""));
  CLEVER_ASSIGN(taken.commit, object.text_or("commit", ""));
  CLEVER_ASSIGN(taken.uncommitted, object.byte_strings("uncommitted"));
  CLEVER_ASSIGN(taken.submodules, object.byte_strings("submodules"));
  CLEVER_ASSIGN(taken.filtered, object.byte_strings("filtered"));
  CLEVER_ASSIGN(taken.hidden, object.byte_strings("hidden"));
  CLEVER_ASSIGN(taken.remarks, object.texts("remarks"));
  CLEVER_ASSIGN(taken.projects, internal::heads_of(object));
  return taken;
}

Event CommandRefused::to_event() const {
  const json data{{"command", internal::storable(command)},
                  {"code", internal::storable(code)},
                  {"reason", internal::storable(reason)}};
  return {std::string(kKind), 1, internal::to_text(data)};
}

base::Result<CommandRefused> CommandRefused::parse(std::string_view data) {
  CLEVER_ASSIGN(const JsonObject object, JsonObject::parse(data, std::string(kKind)));
  CommandRefused refused;
  CLEVER_ASSIGN(refused.command, object.text("command"));
  CLEVER_ASSIGN(refused.code, object.text("code"));
  CLEVER_ASSIGN(refused.reason, object.text("reason"));
  return refused;
}

}  // namespace clever::model
