#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "storage/postgres/internal/connection.h"
#include "storage/postgres/internal/group.h"
#include "storage/postgres/internal/turn.h"

namespace clever::storage::postgres {

/// How an attempt at a group's transaction ended.
enum class End : std::uint8_t {
  kCommitted,     // the answers are valid
  kWasCommitted,  // the answers of the earlier attempt under this key are valid
  kInDoubt,       // the answers are valid if it was committed, which is unknown
  kNewSuspects,   // nothing happened; the group knows more about its units
  kRepeat,        // nothing happened; other transactions were in the way
  kLost,          // nothing happened; the connection is lost
  kRefused,       // nothing happened; the reason concerns all units
  kTooLate,       // nothing happened now, and keys as old as this one may have been removed
  kSplit,         // nothing happened; the reason concerns one unknown unit
};

struct Ended {
  End end;
  /// The reason, unless it was committed.
  std::optional<base::Error> error{};
  /// The key was free, so no earlier attempt under it was committed or ever will be.
  bool key_was_free = false;
};

/// The parameters of an attempt.
struct AttemptPlan {
  std::string key;
  std::string previous_key;  // of an answered group: no longer needed
  std::int64_t schema_version = 0;
  /// Runs with no other writer of the database.
  bool alone = false;
  std::string sender;
  /// When an earlier attempt under this key came into doubt, by the database's clock in
  /// microseconds; 0 if none did.
  std::int64_t doubt_since = 0;
  /// Determines whether an earlier attempt was committed, and if not, ends as refused.
  bool only_resolve = false;
};

/// Keys are kept for twice as long, so that a removed key is never mistaken for a free one.
inline constexpr std::chrono::hours kMostDoubt{12};

/// One attempt to commit a group in one transaction:
///   BEGIN; the schema's lock; the key; the schema's version; the statements of all trusted units,
///   then the late ones of all (which lock their rows until the commit);
///   for each suspect: SAVEPOINT, its statements, and ROLLBACK TO if it fails;
///   COMMIT; outside of the transaction, one NOTIFY.
/// The key comes first: it waits for an earlier attempt that may still be committing, and fails if
/// that was. Without suspects this is two round trips.
class Attempt {
 public:
  Attempt(Connection& connection, Group& group, const AttemptPlan& plan, Patience patience)
      : connection_(connection), group_(group), plan_(plan), patience_(std::move(patience)) {}

  /// Passes the turn on as soon as the COMMIT is sent.
  [[nodiscard]] Ended run(Turns::Turn turn);
  /// By the database's clock, in microseconds; 0 before it was read.
  [[nodiscard]] std::int64_t database_time() const { return database_time_; }

 private:
  void add_preamble();
  void add_statements(std::size_t index, std::size_t first, std::size_t end);
  [[nodiscard]] std::optional<Ended> run_trusted();
  [[nodiscard]] std::optional<Ended> preamble_trouble(const Answers& answers);
  [[nodiscard]] std::optional<Ended> judge_trusted(const std::vector<std::size_t>& trusted,
                                                   Answers& answers);
  [[nodiscard]] std::optional<Ended> run_suspect(std::size_t index);
  [[nodiscard]] Ended commit(Turns::Turn& turn);
  [[nodiscard]] Ended ended_by(const Failure& failure, End refused);
  [[nodiscard]] Ended rolled_back(End end, std::optional<base::Error> error = {});

  Connection& connection_;
  Group& group_;
  const AttemptPlan& plan_;
  const Patience patience_;
  // What the savepoint of the last suspect still needs.
  enum class Savepoint : std::uint8_t { kNone, kKeep, kUndo } savepoint_ = Savepoint::kNone;
  bool key_was_free_ = false;
  std::int64_t database_time_ = 0;
};

inline constexpr std::string_view kNotify =
    // A hint needs no sync.
    "SELECT set_config('synchronous_commit', 'off', true), pg_notify('clever', $1)";

}  // namespace clever::storage::postgres
