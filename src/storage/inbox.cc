#include "storage/inbox.h"

#include "base/sha256.h"
#include "storage/keys.h"
#include "storage/row_digest.h"

namespace clever::storage {
namespace {

constexpr Sql kInsertCommand =
    "INSERT INTO inbox (plan, key, fingerprint, body, received, digest) "
    "SELECT plan, $2, $3, $4, clever_now(), $5 FROM journal WHERE plan = $1 "
    "ON CONFLICT (plan, key) DO NOTHING";

constexpr Sql kInsertEarlyCommand =
    "INSERT INTO inbox (plan, key, fingerprint, body, received, digest) "
    "VALUES ($1, $2, $3, $4, clever_now(), $5) ON CONFLICT (plan, key) DO NOTHING";

constexpr Sql kSealCommand =
    "INSERT INTO seal (source, number, digest) SELECT 'inbox', id, digest FROM inbox "
    "WHERE plan = $1 AND key = $2 ON CONFLICT (source, number) DO NOTHING";

constexpr Sql kLookIntoInbox =
    "SELECT id, COALESCE(consumed, 0), receipt, fingerprint FROM inbox "
    "WHERE plan = $1 AND key = $2";

constexpr Sql kIsThere = "SELECT id FROM inbox WHERE plan = $1 AND key = $2 AND fingerprint = $3";

constexpr Refusal kOther{base::ErrorCode::kConflict,
                         "another command with this key was sent before, or there is no such plan"};

Statement command_insertion(Sql sql, const model::PlanId& plan, std::string key,
                            const Blob& fingerprint, std::string body) {
  Blob digest = command_digest(plan, key, fingerprint);
  return statement(sql, to_blob(plan), std::move(key), fingerprint, Blob{std::move(body)},
                   std::move(digest));
}

CommandReceipt receipt_of(const Row& row, bool is_new) {
  return {is_new, row.integer(0), row.integer(1), row.blob(2)};
}

}  // namespace

base::Result<CommandReceipt> Inbox::send(const model::PlanId& plan, std::string key,
                                         std::string body, const base::StopToken& stop,
                                         base::Deadline deadline) {
  const Blob fingerprint = to_blob(base::sha256(body));
  UnitOfWork unit;
  const std::size_t inserted =
      unit.add(command_insertion(kInsertCommand, plan, key, fingerprint, std::move(body)));
  unit.run(kSealCommand, to_blob(plan), key);
  const std::size_t found = unit.run(kLookIntoInbox, to_blob(plan), key);
  unit.notify(plan_name(plan));
  unit.notify(inbox_name(plan));
  CLEVER_ASSIGN(const Receipt done, engine_.commit(std::move(unit), stop, deadline));
  const Rows& rows = done.outcomes[found].rows;
  if (rows.empty()) return base::not_found("there is no plan " + plan.to_string());
  if (rows[0].blob(3) != fingerprint.bytes) {
    return base::conflict("plan " + plan.to_string() + " was sent another command with the key '" +
                          key + "' before");
  }
  return receipt_of(rows[0], done.outcomes[inserted].count == 1);
}

void Inbox::add(UnitOfWork& unit, const model::PlanId& plan, std::string key, std::string body) {
  for (Statement& part : statements(plan, std::move(key), std::move(body))) {
    unit.add(std::move(part));
  }
  unit.notify(plan_name(plan));
  unit.notify(inbox_name(plan));
}

std::vector<Statement> Inbox::statements(const model::PlanId& plan, std::string key,
                                         std::string body) {
  const Blob fingerprint = to_blob(base::sha256(body));
  std::vector<Statement> result;
  result.push_back(command_insertion(kInsertCommand, plan, key, fingerprint, std::move(body)));
  result.push_back(statement(kSealCommand, to_blob(plan), key));
  result.push_back(statement(kIsThere, to_blob(plan), std::move(key), fingerprint));
  result.back().expectation = Expectation{1, kOther};
  return result;
}

std::vector<Statement> Inbox::early_statements(const model::PlanId& plan, std::string key,
                                               std::string body) {
  const Blob fingerprint = to_blob(base::sha256(body));
  std::vector<Statement> result;
  result.push_back(command_insertion(kInsertEarlyCommand, plan, key, fingerprint, std::move(body)));
  result.push_back(statement(kSealCommand, to_blob(plan), std::move(key)));
  return result;
}

base::Result<std::vector<Command>> Inbox::pending(const model::PlanId& plan, std::size_t limit,
                                                  const base::StopToken& stop,
                                                  base::Deadline deadline) {
  const Statement look = statement(
      "SELECT id, key, body, received FROM inbox WHERE plan = $1 AND consumed IS NULL "
      "ORDER BY id LIMIT $2",
      to_blob(plan), limit);
  CLEVER_ASSIGN(const Rows rows, engine_.query(look, stop, deadline));
  std::vector<Command> commands;
  for (const Row& row : rows) {
    commands.push_back(
        {row.integer(0), row.text(1), row.blob(2), model::to_timestamp(row.integer(3))});
  }
  return commands;
}

base::Result<CommandReceipt> Inbox::receipt(const model::PlanId& plan, const std::string& key,
                                            const base::StopToken& stop, base::Deadline deadline) {
  CLEVER_ASSIGN(const Rows rows,
                engine_.query(statement(kLookIntoInbox, to_blob(plan), key), stop, deadline));
  if (rows.empty()) {
    return base::not_found("plan " + plan.to_string() + " was sent no command with the key '" +
                           key + "'");
  }
  return receipt_of(rows[0], false);
}

}  // namespace clever::storage
