#include "model/effect_events.h"

#include "model/internal/json_object.h"

namespace clever::model {
namespace {

using internal::JsonObject;
using nlohmann::json;

json job_json(const JobRequest& job) {
  json data{{"queue", job.queue}, {"priority", job.priority}, {"max_attempts", job.max_attempts}};
  if (!job.concurrency.empty()) data["concurrency"] = job.concurrency;
  return data;
}

base::Result<std::optional<JobRequest>> job_of(const JsonObject& object) {
  CLEVER_ASSIGN(const std::optional<JsonObject> written, object.object("job"));
  if (!written) return std::optional<JobRequest>();
  JobRequest job;
  CLEVER_ASSIGN(job.queue, written->text("queue"));
  CLEVER_ASSIGN(job.priority, written->integer_or("priority", job.priority));
  CLEVER_ASSIGN(job.max_attempts, written->integer_or("max_attempts", job.max_attempts));
  CLEVER_ASSIGN(job.concurrency, written->text_or("concurrency", ""));
  if (job.queue.empty()) return written->wrong("queue", "the name of a queue");
  if (job.priority < 0 || job.priority > 3) return written->wrong("priority", "between 0 and 3");
  if (job.max_attempts < 1) return written->wrong("max_attempts", "at least 1");
  return std::optional(job);
}

}  // namespace

base::Result<Event> EffectRequested::to_event() const {
  json inner = json::parse(data, nullptr, false);
  if (inner.is_discarded()) {
    return base::invalid_argument("the data of effect " + id.to_string() + " is not JSON");
  }
  json outer{{"id", id.to_string()}, {"kind", kind}, {"data", std::move(inner)}};
  if (job) outer["job"] = job_json(*job);
  return Event{std::string(kKind), 1, internal::to_text(outer)};
}

base::Result<EffectRequested> EffectRequested::parse(std::string_view text) {
  CLEVER_ASSIGN(const JsonObject object, JsonObject::parse(text, std::string(kKind)));
  EffectRequested requested;
  CLEVER_ASSIGN(requested.id, object.id<EffectId>("id"));
  CLEVER_ASSIGN(requested.kind, object.text("kind"));
  requested.data = object.json_text("data");
  CLEVER_ASSIGN(requested.job, job_of(object));
  return requested;
}

Event EffectSettled::to_event() const {
  const json data{{"id", id.to_string()}, {"outcome", outcome}};
  return {std::string(kKind), 1, internal::to_text(data)};
}

base::Result<EffectSettled> EffectSettled::parse(std::string_view data) {
  CLEVER_ASSIGN(const JsonObject object, JsonObject::parse(data, std::string(kKind)));
  EffectSettled settled;
  CLEVER_ASSIGN(settled.id, object.id<EffectId>("id"));
  CLEVER_ASSIGN(settled.outcome, object.text("outcome"));
  return settled;
}

std::string effect_key(const EffectId& id) { return "effect/" + id.to_string(); }

}  // namespace clever::model
