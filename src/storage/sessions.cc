#include "storage/sessions.h"

#include <utility>

#include "storage/keys.h"

namespace clever::storage {
namespace {

constexpr Refusal kGone{base::ErrorCode::kNotFound, "there is no such session"};

#define CLEVER_SESSIONS "SELECT id, name, person, project, parent, created, messages FROM session "
constexpr Sql kFind{CLEVER_SESSIONS "WHERE id = $1"};
constexpr Sql kList{CLEVER_SESSIONS "WHERE $1 IS NULL OR id < $1 ORDER BY id DESC LIMIT $2",
                    CLEVER_SESSIONS
                    "WHERE $1::bytea IS NULL OR id < $1::bytea ORDER BY id DESC LIMIT $2"};
#undef CLEVER_SESSIONS

SessionRecord session_of_row(const Row& row) {
  return {.id = id_of<SessionId>(row.blob(0)),
          .name = row.text(1),
          .person = row.text(2),
          .project = row.text(3),
          .parent = row.is_null(4) ? SessionId() : id_of<SessionId>(row.blob(4)),
          .created = model::to_timestamp(row.integer(5)),
          .messages = row.integer(6)};
}

void add_message(UnitOfWork& unit, const SessionId& id, const SessionMessage& message) {
  unit.run(
      "INSERT INTO session_message (session, number, person, time, text, plan) "
      "VALUES ($1, $2, $3, $4, $5, $6)",
      to_blob(id), message.number, message.person, model::to_microseconds(message.time),
      message.text, to_blob_or_null(message.plan));
}

}  // namespace

std::string session_name(const SessionId& id) { return "session/" + id.to_string(); }

base::Result<void> Sessions::add(const SessionRecord& session,
                                 const std::vector<SessionMessage>& messages,
                                 const base::StopToken& stop) {
  UnitOfWork unit;
  unit.run(
      "INSERT INTO session (id, name, person, project, parent, created, messages) "
      "VALUES ($1, $2, $3, $4, $5, clever_now(), $6)",
      to_blob(session.id), session.name, session.person, session.project,
      to_blob_or_null(session.parent), messages.size());
  for (const SessionMessage& message : messages) add_message(unit, session.id, message);
  CLEVER_TRY(engine_.commit(std::move(unit), stop));
  return {};
}

base::Result<SessionRecord> Sessions::find(const SessionId& id, const base::StopToken& stop) {
  CLEVER_ASSIGN(const Rows rows, engine_.query(statement(kFind, to_blob(id)), stop));
  if (rows.empty()) return base::not_found("there is no session " + id.to_string());
  return session_of_row(rows[0]);
}

base::Result<std::vector<SessionRecord>> Sessions::list(std::size_t limit, const SessionId& after,
                                                        const base::StopToken& stop) {
  CLEVER_ASSIGN(const Rows rows,
                engine_.query(statement(kList, to_blob_or_null(after), limit), stop));
  std::vector<SessionRecord> all;
  for (const Row& row : rows) all.push_back(session_of_row(row));
  return all;
}

base::Result<void> Sessions::rename(const SessionId& id, const std::string& name,
                                    const base::StopToken& stop) {
  UnitOfWork unit;
  unit.require(1, kGone, "UPDATE session SET name = $2 WHERE id = $1", to_blob(id), name);
  CLEVER_TRY(engine_.commit(std::move(unit), stop));
  return {};
}

base::Result<void> Sessions::remove(const SessionId& id, const base::StopToken& stop) {
  UnitOfWork unit;
  unit.run("DELETE FROM session_message WHERE session = $1", to_blob(id));
  unit.require(1, kGone, "DELETE FROM session WHERE id = $1", to_blob(id));
  unit.notify(session_name(id));
  CLEVER_TRY(engine_.commit(std::move(unit), stop));
  return {};
}

base::Result<SessionMessage> Sessions::say(const SessionId& id, const std::string& person,
                                           const std::string& text, const base::StopToken& stop) {
  UnitOfWork unit;
  // Keeps others from taking the same number before the commit.
  unit.require(1, kGone, "UPDATE session SET messages = messages + 1 WHERE id = $1", to_blob(id));
  const std::size_t said = unit.run(
      "INSERT INTO session_message (session, number, person, time, text, plan) "
      "SELECT id, messages, $2, clever_now(), $3, NULL FROM session WHERE id = $1 "
      "RETURNING number, time",
      to_blob(id), person, text);
  unit.notify(session_name(id));
  CLEVER_ASSIGN(const Receipt receipt, engine_.commit(std::move(unit), stop));
  const auto row = receipt.outcomes[said].rows[0];
  return SessionMessage{.number = row.integer(0),
                        .person = person,
                        .time = model::to_timestamp(row.integer(1)),
                        .text = text};
}

base::Result<void> Sessions::set_plan(const SessionId& id, std::int64_t number,
                                      const model::PlanId& plan, const base::StopToken& stop) {
  UnitOfWork unit;
  unit.require(1, kGone, "UPDATE session_message SET plan = $3 WHERE session = $1 AND number = $2",
               to_blob(id), number, to_blob(plan));
  unit.notify(session_name(id));
  CLEVER_TRY(engine_.commit(std::move(unit), stop));
  return {};
}

base::Result<std::vector<SessionMessage>> Sessions::messages(const SessionId& id,
                                                             std::int64_t after, std::size_t limit,
                                                             const base::StopToken& stop) {
  CLEVER_ASSIGN(const Rows rows,
                engine_.query(statement("SELECT number, person, time, text, plan FROM "
                                        "session_message WHERE session = $1 AND number > $2 "
                                        "ORDER BY number LIMIT $3",
                                        to_blob(id), after, limit),
                              stop));
  std::vector<SessionMessage> all;
  for (const Row& row : rows) {
    all.push_back({.number = row.integer(0),
                   .person = row.text(1),
                   .time = model::to_timestamp(row.integer(2)),
                   .text = row.text(3),
                   .plan = row.is_null(4) ? model::PlanId() : id_of<model::PlanId>(row.blob(4))});
  }
  return all;
}

}  // namespace clever::storage
