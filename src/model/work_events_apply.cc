// Events of applying and undoing.
#include "model/internal/json_object.h"
#include "model/internal/project_heads.h"
#include "model/work_events.h"

namespace clever::model {
namespace {

using internal::JsonObject;
using nlohmann::json;

base::Result<std::string> mode_of(const JsonObject& object) {
  CLEVER_ASSIGN(std::string mode, object.text_or("mode", "commit"));
  if (mode == "commit" || mode == "working_tree" || mode == "branch") return mode;
  return object.wrong("mode", R"("commit", "working_tree" or "branch")");
}

}  // namespace

void internal::put_heads(json& object, const std::vector<ProjectHead>& heads) {
  if (heads.empty()) return;
  json written = json::array();
  for (const ProjectHead& head : heads) {
    json one{{"project", storable(head.project)}};
    put_text(one, "branch", head.branch);
    put_text(one, "commit", head.commit);
    written.push_back(std::move(one));
  }
  object["projects"] = std::move(written);
}

base::Result<std::vector<ProjectHead>> internal::heads_of(const JsonObject& object) {
  std::vector<ProjectHead> heads;
  CLEVER_ASSIGN(const auto written, object.objects("projects"));
  for (const JsonObject& one : written) {
    ProjectHead head;
    CLEVER_ASSIGN(head.project, one.text("project"));
    CLEVER_ASSIGN(head.branch, one.text_or("branch", ""));
    CLEVER_ASSIGN(head.commit, one.text_or("commit", ""));
    heads.push_back(std::move(head));
  }
  return heads;
}

Event ApplyRequested::to_event() const {
  json data{{"digest", digest.to_hex()}, {"mode", internal::storable(mode)}, {"verify", verify}};
  internal::put_text(data, "branch", branch);
  internal::put_text(data, "message", message);
  if (remerge) data["remerge"] = true;
  internal::put_texts(data, "without", without);
  internal::put_text(data, "by", by);
  return {std::string(kKind), 1, internal::to_text(data)};
}

base::Result<ApplyRequested> ApplyRequested::parse(std::string_view data) {
  CLEVER_ASSIGN(const JsonObject object, JsonObject::parse(data, std::string(kKind)));
  ApplyRequested requested;
  CLEVER_ASSIGN(requested.digest, object.digest("digest"));
  CLEVER_ASSIGN(requested.mode, mode_of(object));
  CLEVER_ASSIGN(requested.branch, object.text_or("branch", ""));
  CLEVER_ASSIGN(requested.message, object.text_or("message", ""));
  CLEVER_ASSIGN(requested.verify, object.flag_or("verify", true));
  CLEVER_ASSIGN(requested.remerge, object.flag_or("remerge", false));
  CLEVER_ASSIGN(requested.without, object.texts("without"));
  CLEVER_ASSIGN(requested.by, object.text_or("by", ""));
  return requested;
}

Event ApplyEnded::to_event() const {
  json data{{"digest", digest.to_hex()}, {"applied", applied}};
  internal::put_text(data, "commit", commit);
  internal::put_text(data, "reason", reason);
  internal::put_bytes(data, "files", files);
  internal::put_texts(data, "moved_on", moved_on);
  internal::put_heads(data, projects);
  return {std::string(kKind), 1, internal::to_text(data)};
}

base::Result<ApplyEnded> ApplyEnded::parse(std::string_view data) {
  CLEVER_ASSIGN(const JsonObject object, JsonObject::parse(data, std::string(kKind)));
  ApplyEnded ended;
  CLEVER_ASSIGN(ended.digest, object.digest("digest"));
  CLEVER_ASSIGN(ended.applied, object.flag_or("applied", false));
  CLEVER_ASSIGN(ended.commit, object.text_or("commit", ""));
  CLEVER_ASSIGN(ended.reason, object.text_or("reason", ""));
  CLEVER_ASSIGN(ended.files, object.byte_strings("files"));
  CLEVER_ASSIGN(ended.moved_on, object.texts("moved_on"));
  CLEVER_ASSIGN(ended.projects, internal::heads_of(object));
  return ended;
}

Event ApplyUndone::to_event() const {
  json data{{"digest", digest.to_hex()}};
  internal::put_text(data, "commit", commit);
  internal::put_heads(data, projects);
  internal::put_text(data, "by", by);
  return {std::string(kKind), 1, internal::to_text(data)};
}

base::Result<ApplyUndone> ApplyUndone::parse(std::string_view data) {
  CLEVER_ASSIGN(const JsonObject object, JsonObject::parse(data, std::string(kKind)));
  ApplyUndone undone;
  CLEVER_ASSIGN(undone.digest, object.digest("digest"));
  CLEVER_ASSIGN(undone.commit, object.text_or("commit", ""));
  CLEVER_ASSIGN(undone.projects, internal::heads_of(object));
  CLEVER_ASSIGN(undone.by, object.text_or("by", ""));
  return undone;
}

}  // namespace clever::model
