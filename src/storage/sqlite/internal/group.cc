#include "storage/sqlite/internal/group.h"

#include <optional>
#include <string>
#include <utility>

#include "base/crash_point.h"

namespace clever::storage::sqlite {
namespace {

using Answers = std::vector<base::Result<Receipt>>;
using Group = std::span<const internal::Pending>;

base::Result<void> begin(Connection& connection, std::int64_t schema_version) {
  CLEVER_TRY(connection.run("BEGIN IMMEDIATE"));
  CLEVER_ASSIGN(const auto newest,
                connection.run("SELECT version FROM schema_migration ORDER BY version DESC "
                               "LIMIT 1"));
  if (newest.rows.empty() || newest.rows[0].integer(0) != schema_version) {
    return base::conflict(
        "a newer agents has upgraded the database meanwhile; end this one and start it again");
  }
  return {};
}

// Returns true unless the statement itself is the cause: a row that exists, a value that does not
// fit, SQL that this database does not understand.
bool is_of_the_database(const base::Error& error) {
  using enum base::ErrorCode;
  return error.code() != kAlreadyExists && error.code() != kInvalidArgument &&
         error.code() != kInternal;
}

// A refused unit leaves the transaction open; a failing database ends it for all units.
base::Result<Outcome> execute(Connection& connection, const Statement& statement) {
  auto outcome = connection.execute(statement);
  if (!outcome.ok() && is_of_the_database(outcome.error())) connection.roll_back();
  return outcome;
}

base::Result<Receipt> run(Connection& connection, const UnitOfWork& unit) {
  Receipt receipt;
  receipt.outcomes.reserve(unit.statements().size());
  for (const auto& statement : unit.statements()) {
    CLEVER_ASSIGN(auto outcome, execute(connection, statement));
    if (const auto& expected = statement.expectation; expected && expected->rows != outcome.count) {
      return base::Error(expected->otherwise.code, std::string(expected->otherwise.message));
    }
    receipt.outcomes.push_back(std::move(outcome));
  }
  return receipt;
}

base::Result<void> end_savepoint(Connection& connection, bool keep) {
  if (!keep) CLEVER_TRY(connection.run("ROLLBACK TO unit"));
  CLEVER_TRY(connection.run("RELEASE unit"));
  return {};
}

base::Result<Receipt> run_within_savepoint(Connection& connection, const UnitOfWork& unit) {
  CLEVER_TRY(connection.run("SAVEPOINT unit"));
  auto receipt = run(connection, unit);
  if (!connection.in_transaction()) return receipt;
  if (auto ended = end_savepoint(connection, receipt.ok()); !ended.ok()) {
    // Half of a unit must not be committed with the others: roll back everything.
    connection.roll_back();
    return std::move(ended).error();
  }
  return receipt;
}

struct Attempt {
  Answers answers;
  /// The database failed: no unit was committed.
  std::optional<base::Error> failure;
  bool all_accepted = true;
};

template <class RunUnit>
Attempt attempt(Connection& connection, std::int64_t schema_version, Group group,
                bool go_on_after_refusal, RunUnit run_unit) {
  Attempt result;
  result.answers.reserve(group.size());
  if (auto begun = begin(connection, schema_version); !begun.ok()) {
    result.failure = std::move(begun).error();
    return result;
  }
  base::crash_point("storage.begun");
  for (const auto& member : group) {
    result.answers.push_back(run_unit(connection, member.unit));
    const auto& answer = result.answers.back();
    if (answer.ok()) continue;
    result.all_accepted = false;
    if (!connection.in_transaction()) result.failure = answer.error();
    if (result.failure || !go_on_after_refusal) return result;
  }
  base::crash_point("storage.written");
  return result;
}

// A full disk must not look like an exhausted budget of a unit.
base::Error failure_of_all(const base::Error& error) {
  using enum base::ErrorCode;
  return {error.code() == kResourceExhausted ? kUnavailable : error.code(), error.sentence()};
}

Answers all_failed(Group group, const base::Error& error) {
  return {group.size(), base::Result<Receipt>(failure_of_all(error))};
}

}  // namespace

Answers run_group(Connection& connection, std::int64_t schema_version, Group group) {
  auto tried = attempt(connection, schema_version, group, false, run);
  if (!tried.failure && !tried.all_accepted) {
    connection.roll_back();
    tried = attempt(connection, schema_version, group, true, run_within_savepoint);
  }
  if (!tried.failure) {
    if (auto committed = connection.run("COMMIT"); !committed.ok()) {
      tried.failure = std::move(committed).error();
    }
    base::crash_point("storage.committed");
  }
  connection.roll_back();
  if (tried.failure) return all_failed(group, *tried.failure);
  return std::move(tried.answers);
}

}  // namespace clever::storage::sqlite
