#include "storage/postgres/internal/attempt.h"

#include "storage/postgres/internal/migrations.h"
#include "storage/postgres/internal/topics.h"

namespace clever::storage::postgres {
namespace {

// Statements that precede those of the units, by number.
constexpr std::size_t kKey = 2;
constexpr std::size_t kState = 4;
constexpr std::size_t kPreamble = 5;

constexpr std::string_view kUniqueViolation = "23505";

base::Error upgraded(std::int64_t now, std::int64_t known) {
  return base::conflict("the database was upgraded to schema version " + std::to_string(now) +
                        " by a newer agents; this one works with " + std::to_string(known) +
                        "; restart this one");
}

// Moves the outcomes of `count` statements. Returns true if the server refused one of them.
bool take(Answers& answers, std::size_t first, std::size_t count, std::vector<Outcome>& outcomes) {
  for (std::size_t at = first; at < first + count; ++at) {
    if (at >= answers.outcomes.size()) return at == answers.outcomes.size();
    outcomes.push_back(std::move(answers.outcomes[at]));
  }
  return false;
}

}  // namespace

Ended Attempt::run(Turns::Turn turn) {
  if (auto trouble = run_trusted()) return std::move(*trouble);
  for (const std::size_t index : group_.suspects()) {
    if (auto trouble = run_suspect(index)) return std::move(*trouble);
  }
  return commit(turn);
}

void Attempt::add_preamble() {
  connection_.add("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE");
  const std::vector<Value> lock{kSchemaLock};
  if (plan_.alone) {
    connection_.add("SELECT set_config('lock_timeout', '0', true), pg_advisory_xact_lock($1)",
                    lock);
  } else {
    connection_.add("SELECT pg_advisory_xact_lock_shared($1)", lock);
  }
  connection_.add("INSERT INTO clever_commit(key) VALUES ($1)",
                  std::vector<Value>{Blob{plan_.key}});
  connection_.add("DELETE FROM clever_commit WHERE key = $1",
                  std::vector<Value>{Blob{plan_.previous_key}});
  // A separate statement, so that it sees the commits that the lock waited for.
  connection_.add(
      "SELECT (SELECT max(version) FROM schema_migration), "
      "(extract(epoch FROM statement_timestamp()) * 1000000)::bigint");
}

void Attempt::add_statements(std::size_t index, std::size_t first, std::size_t end) {
  const auto& statements = group_.unit(index).statements();
  for (std::size_t i = first; i < end; ++i) {
    connection_.add(statements[i].sql.postgres(), statements[i].parameters);
  }
}

std::optional<Ended> Attempt::run_trusted() {
  const auto trusted = group_.trusted();
  add_preamble();
  for (const std::size_t index : trusted) add_statements(index, 0, group_.unit(index).early());
  for (const std::size_t index : trusted) {
    const UnitOfWork& unit = group_.unit(index);
    add_statements(index, unit.early(), unit.statements().size());
  }
  connection_.end_segment();
  Answers answers = connection_.receive(patience_);
  key_was_free_ = answers.outcomes.size() > kKey;
  if (auto trouble = preamble_trouble(answers)) return trouble;
  return judge_trusted(trusted, answers);
}

std::optional<Ended> Attempt::preamble_trouble(const Answers& answers) {
  const std::size_t done = answers.outcomes.size();
  if (answers.failure && (done < kPreamble || answers.failure->trouble != Trouble::kRefused)) {
    const bool was_committed = done == kKey && answers.failure->sqlstate == kUniqueViolation;
    return ended_by(*answers.failure, was_committed ? End::kWasCommitted : End::kRefused);
  }
  const Row state = answers.outcomes[kState].rows[0];
  database_time_ = state.integer(1);
  const std::chrono::microseconds doubt(database_time_ - plan_.doubt_since);
  if (plan_.doubt_since != 0 && doubt > kMostDoubt) {
    key_was_free_ = false;
    return rolled_back(End::kTooLate,
                       base::unavailable("the server could not be reached for too long"));
  }
  if (plan_.only_resolve) {
    return rolled_back(End::kRefused, base::unavailable("the server broke off repeatedly"));
  }
  if (state.integer(0) == plan_.schema_version) return std::nullopt;
  return rolled_back(End::kRefused, upgraded(state.integer(0), plan_.schema_version));
}

// Marks every failed unit as suspect, and the unit whose statement the server refused.
std::optional<Ended> Attempt::judge_trusted(const std::vector<std::size_t>& trusted,
                                            Answers& answers) {
  std::optional<base::Error> trouble;
  std::size_t early = kPreamble;
  std::size_t late = kPreamble;
  for (const std::size_t index : trusted) late += group_.unit(index).early();
  for (const std::size_t index : trusted) {
    const UnitOfWork& unit = group_.unit(index);
    const std::size_t late_count = unit.statements().size() - unit.early();
    std::vector<Outcome> outcomes;
    const bool refused =
        take(answers, early, unit.early(), outcomes) || take(answers, late, late_count, outcomes);
    early += unit.early();
    late += late_count;
    // The next attempt judges units whose statements did not run.
    if (!refused && outcomes.size() < unit.statements().size()) continue;
    Group::Answer answer = judged(unit, outcomes, 0, refused ? &answers.failure->error : nullptr);
    if (!answer.ok()) {
      trouble = answer.error();
      group_.suspect(index);
    }
    group_.set_answer(index, std::move(answer));
  }
  if (!trouble) return std::nullopt;
  // A unit that is alone in the transaction caused the trouble.
  if (group_.size() == 1) return rolled_back(End::kRefused, std::move(trouble));
  return rolled_back(End::kNewSuspects, std::move(trouble));
}

std::optional<Ended> Attempt::run_suspect(std::size_t index) {
  if (savepoint_ == Savepoint::kUndo) connection_.add("ROLLBACK TO SAVEPOINT unit");
  if (savepoint_ != Savepoint::kNone) connection_.add("RELEASE SAVEPOINT unit");
  const std::size_t first = savepoint_ == Savepoint::kNone   ? 1
                            : savepoint_ == Savepoint::kKeep ? 2
                                                             : 3;
  connection_.add("SAVEPOINT unit");
  add_statements(index, 0, group_.unit(index).statements().size());
  connection_.end_segment();
  Answers answers = connection_.receive(patience_);
  if (answers.failure && answers.failure->trouble != Trouble::kRefused) {
    return ended_by(*answers.failure, End::kRefused);
  }
  if (answers.failure && answers.outcomes.size() < first) {
    return rolled_back(End::kRefused, answers.failure->error);
  }
  Group::Answer answer = judged(group_.unit(index), answers.outcomes, first,
                                answers.failure ? &answers.failure->error : nullptr);
  savepoint_ = answer.ok() ? Savepoint::kKeep : Savepoint::kUndo;
  group_.set_answer(index, std::move(answer));
  return std::nullopt;
}

Ended Attempt::commit(Turns::Turn& turn) {
  if (!group_.any_succeeded()) return rolled_back(End::kCommitted);
  if (savepoint_ == Savepoint::kUndo) connection_.add("ROLLBACK TO SAVEPOINT unit");
  connection_.add("COMMIT");
  connection_.end_segment();
  if (const auto topics = group_.topics(); !topics.empty()) {
    connection_.add(kNotify, std::vector<Value>{payload_of(plan_.sender, topics)});
    connection_.end_segment();
  }
  auto failure = connection_.flush(patience_);
  turn.give_up();
  Answers answers;
  if (!failure) answers = connection_.receive(patience_);
  if (!failure) failure = std::move(answers.failure);
  if (!failure && answers.command == "COMMIT") {
    return {.end = End::kCommitted, .key_was_free = key_was_free_};
  }
  if (!failure) return rolled_back(End::kRefused, base::internal_error("COMMIT rolled back"));
  if (failure->trouble == Trouble::kLost || failure->trouble == Trouble::kStopped) {
    return {
        .end = End::kInDoubt, .error = std::move(failure->error), .key_was_free = key_was_free_};
  }
  if (failure->trouble == Trouble::kRefused && group_.size() > 1) {
    return rolled_back(End::kSplit, std::move(failure->error));
  }
  return ended_by(*failure, End::kRefused);
}

Ended Attempt::ended_by(const Failure& failure, End refused) {
  switch (failure.trouble) {
    case Trouble::kLost:
    case Trouble::kStopped:
      return {.end = End::kLost, .error = failure.error, .key_was_free = key_was_free_};
    case Trouble::kRepeat:
      return rolled_back(End::kRepeat, failure.error);
    case Trouble::kRefused:
      return rolled_back(refused, failure.error);
  }
  std::unreachable();
}

// Without an answer, the server rolls back when the connection ends.
Ended Attempt::rolled_back(End end, std::optional<base::Error> error) {
  connection_.add("ROLLBACK");
  connection_.end_segment();
  while (connection_.usable() && connection_.unanswered() > 0) {
    static_cast<void>(connection_.receive(patience_));
  }
  return {.end = end, .error = std::move(error), .key_was_free = key_was_free_};
}

}  // namespace clever::storage::postgres
