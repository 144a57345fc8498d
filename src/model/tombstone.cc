#include "model/tombstone.h"

#include "model/internal/json_object.h"

namespace clever::model {
namespace {

using internal::JsonObject;
using nlohmann::json;

base::Result<Timestamp> time_in(const JsonObject& object, std::string_view key) {
  CLEVER_ASSIGN(const std::int64_t microseconds, object.integer(key));
  return to_timestamp(microseconds);
}

base::Result<std::vector<Tombstone::Share>> shares_in(const JsonObject& object) {
  CLEVER_ASSIGN(const auto written, object.objects("shares"));
  std::vector<Tombstone::Share> shares;
  for (const JsonObject& one : written) {
    Tombstone::Share share;
    CLEVER_ASSIGN(share.scope, one.text("scope"));
    CLEVER_ASSIGN(share.money, one.integer("money"));
    CLEVER_ASSIGN(share.tokens, one.integer("tokens"));
    shares.push_back(std::move(share));
  }
  return shares;
}

base::Result<std::vector<Tombstone::Audit>> audit_in(const JsonObject& object) {
  CLEVER_ASSIGN(const auto written, object.objects("audit"));
  std::vector<Tombstone::Audit> audit;
  for (const JsonObject& one : written) {
    Tombstone::Audit line;
    CLEVER_ASSIGN(line.sequence, one.integer("sequence"));
    CLEVER_ASSIGN(line.time, time_in(one, "time"));
    CLEVER_ASSIGN(line.what, one.text("what"));
    CLEVER_ASSIGN(line.subject, one.text_or("subject", ""));
    audit.push_back(std::move(line));
  }
  return audit;
}

}  // namespace

std::string Tombstone::to_text() const {
  json data{{"project", internal::storable(project)},
            {"state", state},
            {"created", to_microseconds(created)},
            {"deleted", to_microseconds(deleted)},
            {"events", events},
            {"head", head.to_hex()},
            {"epoch", epoch}};
  if (parent) data["parent"] = parent.to_string();
  for (const Share& share : shares) {
    data["shares"].push_back(
        {{"scope", share.scope}, {"money", share.money}, {"tokens", share.tokens}});
  }
  internal::put_texts(data, "commits", commits);
  for (const Audit& line : audit) {
    json written{
        {"sequence", line.sequence}, {"time", to_microseconds(line.time)}, {"what", line.what}};
    internal::put_text(written, "subject", internal::storable(line.subject));
    data["audit"].push_back(std::move(written));
  }
  return internal::to_text(data);
}

base::Result<Tombstone> Tombstone::parse(const PlanId& plan, std::string_view text) {
  CLEVER_ASSIGN(const JsonObject object, JsonObject::parse(text, "tombstone"));
  Tombstone stone{.plan = plan};
  CLEVER_ASSIGN(stone.parent, object.id_or_none<PlanId>("parent"));
  CLEVER_ASSIGN(stone.project, object.text("project"));
  CLEVER_ASSIGN(stone.state, object.text("state"));
  CLEVER_ASSIGN(stone.created, time_in(object, "created"));
  CLEVER_ASSIGN(stone.deleted, time_in(object, "deleted"));
  CLEVER_ASSIGN(stone.events, object.integer("events"));
  CLEVER_ASSIGN(stone.head, object.digest("head"));
  CLEVER_ASSIGN(stone.epoch, object.integer("epoch"));
  CLEVER_ASSIGN(stone.shares, shares_in(object));
  CLEVER_ASSIGN(stone.commits, object.texts("commits"));
  CLEVER_ASSIGN(stone.audit, audit_in(object));
  return stone;
}

}  // namespace clever::model
