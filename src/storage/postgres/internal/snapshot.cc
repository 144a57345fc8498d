#include "storage/postgres/internal/snapshot.h"

namespace clever::storage::postgres {
namespace {

constexpr std::string_view kReadOnly = "25006";

base::Error error_of(Failure failure) {
  if (failure.sqlstate == kReadOnly) {
    return base::invalid_argument("a read must not write or lock: " + failure.error.message());
  }
  return std::move(failure.error);
}

}  // namespace

PostgresSnapshot::~PostgresSnapshot() {
  if (!begun_ || !reader_.connection->usable()) return;
  reader_.connection->add("ROLLBACK");
  reader_.connection->end_segment();
}

base::Result<void> PostgresSnapshot::ensure_connection() {
  if (reader_.connection != nullptr) return {};
  CLEVER_ASSIGN(reader_.connection, connector_.connect_patiently(Purpose::kReading, patience_));
  return {};
}

Answers PostgresSnapshot::ask(const Statement& statement) {
  Connection& connection = *reader_.connection;
  connection.add(statement.sql.postgres(), statement.parameters);
  connection.end_segment();
  return connection.receive(patience_);
}

Answers PostgresSnapshot::begin(const Statement& statement) {
  Connection& connection = *reader_.connection;
  connection.add("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  connection.add(statement.sql.postgres(), statement.parameters);
  connection.end_segment();
  // Receives the end of the previous read.
  while (connection.unanswered() > 1) static_cast<void>(connection.receive(patience_));
  return connection.receive(patience_);
}

base::Result<Rows> PostgresSnapshot::query(const Statement& statement) {
  CLEVER_TRY(check_parameters(statement.parameters));
  if (begun_) {
    Answers answers = ask(statement);
    if (answers.failure) return error_of(std::move(*answers.failure));
    return std::move(answers.outcomes.front().rows);
  }
  const bool fresh = reader_.connection == nullptr;
  CLEVER_TRY(ensure_connection());
  Answers answers = begin(statement);
  if (!fresh && answers.failure && answers.failure->trouble == Trouble::kLost) {
    reader_.connection.reset();
    CLEVER_TRY(ensure_connection());
    answers = begin(statement);
  }
  begun_ = true;
  if (answers.failure) return error_of(std::move(*answers.failure));
  return std::move(answers.outcomes.back().rows);
}

}  // namespace clever::storage::postgres
