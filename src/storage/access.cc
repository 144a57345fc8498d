#include "storage/access.h"

#include <array>
#include <utility>

#include "base/text.h"
#include "storage/keys.h"
#include "storage/row_digest.h"

namespace clever::storage {
namespace {

constexpr Refusal kNoPerson{base::ErrorCode::kNotFound, "there is no such person"};
constexpr Refusal kPersonChanged{base::ErrorCode::kConflict,
                                 "this person was changed by another process meanwhile; try again"};
constexpr Refusal kLoginUsed{base::ErrorCode::kConflict, "this login was used already"};
constexpr Refusal kTokenChanged{base::ErrorCode::kConflict,
                                "this token was changed by another process meanwhile; try again"};

Value time_or_null(const std::optional<model::Timestamp>& time) {
  return time ? Value(model::to_microseconds(*time)) : Value(Null{});
}

std::optional<model::Timestamp> time_or_none(const Row& row, std::size_t column) {
  if (row.is_null(column)) return std::nullopt;
  return model::to_timestamp(row.integer(column));
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  if (text.empty()) return lines;
  for (const std::string_view line : base::split(text, '\n')) lines.emplace_back(line);
  return lines;
}

Person person_of(const Row& row) {
  return {row.text(0), model::to_timestamp(row.integer(1)), time_or_none(row, 2)};
}

AccessToken token_of(const Row& row) {
  return {.id = id_of<TokenId>(row.blob(0)),
          .person = row.text(1),
          .label = row.text(2),
          .rights = lines_of(row.text(3)),
          .namespaces = lines_of(row.text(4)),
          .created = model::to_timestamp(row.integer(5)),
          .expires = model::to_timestamp(row.integer(6)),
          .revoked = time_or_none(row, 7),
          .used = time_or_none(row, 8)};
}

KnownToken known_token(const Row& row) {
  return {token_of(row), digest_of(row.blob(9)), !row.is_null(10)};
}

Blob person_digest(const Person& person) {
  return row_digest(std::array<Value, 3>{person.name, model::to_microseconds(person.created),
                                         time_or_null(person.removed)});
}

Blob token_digest(const KnownToken& known) {
  const AccessToken& token = known.token;
  return row_digest(
      std::array<Value, 9>{to_blob(token.id), to_blob(known.hash), token.person, token.label,
                           base::joined(token.rights, "\n"), base::joined(token.namespaces, "\n"),
                           model::to_microseconds(token.created),
                           model::to_microseconds(token.expires), time_or_null(token.revoked)});
}

}  // namespace

UnitOfWork Access::add_person(const std::string& name, model::Timestamp now) {
  UnitOfWork unit;
  unit.run("INSERT INTO person (name, created, digest) VALUES ($1, $2, $3)", name,
           model::to_microseconds(now), person_digest({name, now, {}}));
  unit.notify(std::string(kTopic));
  return unit;
}

UnitOfWork Access::remove_person(const Person& person, model::Timestamp now) {
  UnitOfWork unit;
  unit.require(1, kPersonChanged,
               "UPDATE person SET removed = $2, digest = $3 WHERE name = $1 AND removed IS NULL",
               person.name, model::to_microseconds(now),
               person_digest({person.name, person.created, now}));
  unit.notify(std::string(kTopic));
  return unit;
}

UnitOfWork Access::add_token(const AccessToken& token, const base::Sha256Digest& hash) {
  UnitOfWork unit;
  // Changes nothing, but stops a concurrent removal of the person.
  unit.require(1, kNoPerson,
               "UPDATE person SET created = created WHERE name = $1 AND removed IS NULL",
               token.person);
  unit.run(
      "INSERT INTO access_token (id, hash, person, label, rights, namespaces, created, expires, "
      "digest) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
      to_blob(token.id), to_blob(hash), token.person, token.label, base::joined(token.rights, "\n"),
      base::joined(token.namespaces, "\n"), model::to_microseconds(token.created),
      model::to_microseconds(token.expires), token_digest({token, hash}));
  unit.notify(std::string(kTopic));
  return unit;
}

UnitOfWork Access::revoke_token(const KnownToken& known, model::Timestamp now) {
  KnownToken revoked = known;
  revoked.token.revoked = now;
  UnitOfWork unit;
  unit.require(
      1, kTokenChanged,
      "UPDATE access_token SET revoked = $2, digest = $3 WHERE id = $1 AND revoked IS NULL",
      to_blob(known.token.id), model::to_microseconds(now), token_digest(revoked));
  unit.notify(std::string(kTopic));
  return unit;
}

UnitOfWork Access::note_use(const TokenId& token, model::Timestamp now) {
  UnitOfWork unit;
  unit.run("UPDATE access_token SET used = $2 WHERE id = $1 AND (used IS NULL OR used < $2)",
           to_blob(token), model::to_microseconds(now));
  return unit;
}

UnitOfWork Access::exchange_token(const TokenId& code, const AccessToken& token,
                                  const base::Sha256Digest& hash) {
  UnitOfWork unit = add_token(token, hash);
  unit.require(1, kLoginUsed, "DELETE FROM access_token WHERE id = $1", to_blob(code));
  return unit;
}

UnitOfWork Access::forget_logins(model::Timestamp now) {
  UnitOfWork unit;
  unit.run("DELETE FROM access_token WHERE expires < $1 AND rights LIKE 'login%'",
           model::to_microseconds(now));
  return unit;
}

base::Result<std::vector<Person>> Access::people(const base::StopToken& stop,
                                                 base::Deadline deadline) {
  const Statement look = statement("SELECT name, created, removed FROM person ORDER BY name");
  CLEVER_ASSIGN(const Rows rows, engine_.query(look, stop, deadline));
  std::vector<Person> people;
  for (const Row& row : rows) people.push_back(person_of(row));
  return people;
}

base::Result<Person> Access::find_person(const std::string& name, const base::StopToken& stop,
                                         base::Deadline deadline) {
  const Statement look =
      statement("SELECT name, created, removed FROM person WHERE name = $1", name);
  CLEVER_ASSIGN(const Rows rows, engine_.query(look, stop, deadline));
  if (rows.empty()) return base::not_found("there is no such person");
  return person_of(rows[0]);
}

base::Result<std::vector<AccessToken>> Access::tokens(const std::string& person,
                                                      const base::StopToken& stop,
                                                      base::Deadline deadline) {
  const Statement look = statement(
      "SELECT id, person, label, rights, namespaces, created, expires, revoked, used "
      "FROM access_token WHERE (person = $1 OR $1 = '') AND rights NOT LIKE 'login%' "
      "ORDER BY id DESC",
      person);
  CLEVER_ASSIGN(const Rows rows, engine_.query(look, stop, deadline));
  std::vector<AccessToken> tokens;
  for (const Row& row : rows) tokens.push_back(token_of(row));
  return tokens;
}

base::Result<KnownToken> Access::find(const TokenId& token, const base::StopToken& stop,
                                      base::Deadline deadline) {
  constexpr Sql kById =
      "SELECT t.id, t.person, t.label, t.rights, t.namespaces, t.created, t.expires, t.revoked, "
      "t.used, t.hash, p.removed FROM access_token t JOIN person p ON p.name = t.person "
      "WHERE t.id = $1";
  CLEVER_ASSIGN(const Rows rows, engine_.query(statement(kById, to_blob(token)), stop, deadline));
  if (rows.empty()) return base::not_found("no token has the id " + token.to_string());
  return known_token(rows[0]);
}

base::Result<KnownToken> Access::find_by_hash(const base::Sha256Digest& hash,
                                              const base::StopToken& stop,
                                              base::Deadline deadline) {
  constexpr Sql kByHash =
      "SELECT t.id, t.person, t.label, t.rights, t.namespaces, t.created, t.expires, t.revoked, "
      "t.used, t.hash, p.removed FROM access_token t JOIN person p ON p.name = t.person "
      "WHERE t.hash = $1";
  CLEVER_ASSIGN(const Rows rows, engine_.query(statement(kByHash, to_blob(hash)), stop, deadline));
  if (rows.empty())
    return base::not_found(
        "this token is not known: check it, or ask an administrator for a new one (`agents token "
        "create`)");
  return known_token(rows[0]);
}

base::Result<std::vector<std::string>> Access::faults(const base::StopToken& stop) {
  std::vector<std::string> faults;
  CLEVER_ASSIGN(
      const Rows people,
      engine_.query(statement("SELECT name, created, removed, digest FROM person"), stop));
  for (const Row& row : people) {
    if (person_digest(person_of(row)).bytes != row.blob(3))
      faults.push_back("person " + row.text(0));
  }
  CLEVER_ASSIGN(const Rows tokens,
                engine_.query(statement("SELECT id, person, label, rights, namespaces, created, "
                                        "expires, revoked, used, hash, digest FROM access_token"),
                              stop));
  for (const Row& row : tokens) {
    const KnownToken known{token_of(row), digest_of(row.blob(9))};
    if (token_digest(known).bytes == row.blob(10)) continue;
    faults.push_back("token " + known.token.id.to_string());
  }
  return faults;
}

}  // namespace clever::storage
