#include "model/change_events.h"

#include "base/base64.h"
#include "base/utf8.h"
#include "model/internal/json_object.h"

namespace clever::model {
namespace {

using internal::JsonObject;
using nlohmann::json;

// Paths are bytes and JSON is text: a path that is not text is written under another key.
void put_path(json& object, const std::string& key, const std::string& path) {
  const bool is_text = base::is_utf8(path) && path.find('\0') == std::string::npos;
  if (is_text) {
    object[key] = path;
  } else {
    object[key + "_base64"] = base::to_base64(path);
  }
}

base::Result<std::string> path_of(const JsonObject& object, const std::string& key) {
  const std::string encoded_key = key + "_base64";
  if (!object.has(encoded_key)) return object.text(key);
  CLEVER_ASSIGN(const std::string encoded, object.text(encoded_key));
  return object.read(encoded_key, base::from_base64(encoded));
}

base::Result<base::Sha256Digest> digest_of(const JsonObject& object, std::string_view key) {
  CLEVER_ASSIGN(const std::string written, object.text(key));
  return object.read(key, base::Sha256Digest::from_hex(written));
}

json file_state_json(const FileState& state) {
  return {{"mode", state.mode}, {"hash", state.hash.to_hex()}, {"object", state.object}};
}

base::Result<std::optional<FileState>> file_state_of(const JsonObject& entry,
                                                     std::string_view key) {
  CLEVER_ASSIGN(const auto object, entry.object(key));
  if (!object) return std::optional<FileState>();
  FileState state;
  CLEVER_ASSIGN(const std::int64_t mode, object->integer("mode"));
  if (mode < 0 || mode > 0177777) return object->wrong("mode", "a file's mode as git writes it");
  state.mode = static_cast<std::uint32_t>(mode);
  CLEVER_ASSIGN(state.hash, digest_of(*object, "hash"));
  CLEVER_ASSIGN(state.object, object->text("object"));
  return std::optional(std::move(state));
}

json change_json(const ChangeEntry& entry) {
  json object{{"operation", to_string(entry.operation)}};
  put_path(object, "path", entry.path);
  if (entry.from) put_path(object, "from", *entry.from);
  if (entry.before) object["before"] = file_state_json(*entry.before);
  if (entry.after) object["after"] = file_state_json(*entry.after);
  internal::put_text(object, "tool", entry.tool);
  if (entry.decision) object["decision"] = entry.decision.to_string();
  return object;
}

base::Result<ChangeOperation> operation_of(const JsonObject& object) {
  CLEVER_ASSIGN(const std::string name, object.text("operation"));
  return object.read("operation", change_operation_from_string(name));
}

base::Result<ChangeEntry> entry_of(const JsonObject& object) {
  ChangeEntry entry;
  CLEVER_ASSIGN(entry.path, path_of(object, "path"));
  if (object.has("from") || object.has("from_base64")) {
    CLEVER_ASSIGN(entry.from, path_of(object, "from"));
  }
  CLEVER_ASSIGN(entry.operation, operation_of(object));
  CLEVER_ASSIGN(entry.before, file_state_of(object, "before"));
  CLEVER_ASSIGN(entry.after, file_state_of(object, "after"));
  CLEVER_ASSIGN(entry.tool, object.text_or("tool", ""));
  CLEVER_ASSIGN(entry.decision, object.id_or_none<DecisionId>("decision"));
  return entry;
}

}  // namespace

Event ChangesetStarted::to_event() const {
  json data{{"id", id.to_string()}};
  if (decision) data["decision"] = decision.to_string();
  return {std::string(kKind), 1, internal::to_text(data)};
}

base::Result<ChangesetStarted> ChangesetStarted::parse(std::string_view data) {
  CLEVER_ASSIGN(const JsonObject object, JsonObject::parse(data, std::string(kKind)));
  ChangesetStarted started;
  CLEVER_ASSIGN(started.id, object.id<ChangesetId>("id"));
  CLEVER_ASSIGN(started.decision, object.id_or_none<DecisionId>("decision"));
  return started;
}

Event ChangesRecorded::to_event() const {
  json data{{"changeset", changeset.to_string()}, {"entries", json::array()}};
  for (const ChangeEntry& entry : entries) data["entries"].push_back(change_json(entry));
  return {std::string(kKind), 1, internal::to_text(data)};
}

base::Result<ChangesRecorded> ChangesRecorded::parse(std::string_view data) {
  CLEVER_ASSIGN(const JsonObject object, JsonObject::parse(data, std::string(kKind)));
  ChangesRecorded recorded;
  CLEVER_ASSIGN(recorded.changeset, object.id<ChangesetId>("changeset"));
  CLEVER_ASSIGN(const std::vector<JsonObject> entries, object.objects("entries"));
  for (const JsonObject& entry : entries) {
    CLEVER_ASSIGN(ChangeEntry read, entry_of(entry));
    recorded.entries.push_back(std::move(read));
  }
  return recorded;
}

Event ChangesetSealed::to_event() const {
  const json data{
      {"changeset", changeset.to_string()}, {"digest", digest.to_hex()}, {"entries", entries}};
  return {std::string(kKind), 1, internal::to_text(data)};
}

base::Result<ChangesetSealed> ChangesetSealed::parse(std::string_view data) {
  CLEVER_ASSIGN(const JsonObject object, JsonObject::parse(data, std::string(kKind)));
  ChangesetSealed sealed;
  CLEVER_ASSIGN(sealed.changeset, object.id<ChangesetId>("changeset"));
  CLEVER_ASSIGN(sealed.digest, digest_of(object, "digest"));
  CLEVER_ASSIGN(sealed.entries, object.integer("entries"));
  if (sealed.entries < 0) return object.wrong("entries", "a number from 0");
  return sealed;
}

}  // namespace clever::model
