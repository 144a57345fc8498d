#pragma once
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/deadline.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "storage/subscription.h"
#include "storage/unit_of_work.h"

namespace clever::storage {

enum class Dialect : std::uint8_t { kSqlite, kPostgres };

/// A consistent view of the committed data, valid during Engine::read(). Used by one thread.
class Snapshot {
 public:
  virtual ~Snapshot() = default;
  /// A statement that only reads; one that would write is `invalid_argument`.
  virtual base::Result<Rows> query(const Statement& statement) = 0;

  template <class... Parameters>
  base::Result<Rows> query(Sql sql, Parameters&&... parameters) {
    return query(statement(sql, std::forward<Parameters>(parameters)...));
  }
};

/// Progress of long work: the current activity, and units done of all (0 if unknown).
using Progress = std::function<void(std::string_view doing, std::uint64_t done, std::uint64_t all)>;

struct EngineFacts {
  Dialect dialect = Dialect::kSqlite;
  /// "SQLite 3.53.2", "PostgreSQL 15.18"
  std::string version;
  /// The URL without its password.
  std::string address;
  std::int64_t schema_version = 0;
  std::uint64_t size_in_bytes = 0;
};

/// One database, opened and migrated. EngineCache makes it; the last holder closes it.
///
/// Thread-safe. Writes go through commit() or submit(): units of many callers share a transaction
/// and one sync, and a refused unit does not affect the others. After a receipt, no crash and no
/// loss of power undoes the unit (unless the settings trade that away); after an error, nothing of
/// the unit happened. Reading never waits for writing.
///
/// Errors besides a unit's own refusals: `already_exists` (a unique key), `invalid_argument` (any
/// other constraint, a value of the wrong kind), `resource_exhausted` (full disk, full queue),
/// `conflict` (a newer program upgraded the schema), `unavailable` (the server cannot be reached;
/// nothing happened), `corruption`, `permission_denied`, `cancelled` (stopped or closed before it
/// began), `deadline_exceeded` (the same).
class Engine {
 public:
  /// Runs exactly once, on a thread of the engine or of the submitter. It must not block, and must
  /// not release the last reference to the engine.
  using Done = std::move_only_function<void(base::Result<Receipt>)>;

  virtual ~Engine() = default;

  /// Queues the unit without waiting; `resource_exhausted` through `done` when the queue is full.
  /// Only their expectations order units that are in flight together.
  virtual void submit(UnitOfWork unit, Done done) = 0;

  /// Queues a unit without reporting its outcome. It is not urgent: the engine writes it with or
  /// before the next urgent one, at the latest when it is closed.
  virtual void submit_along(UnitOfWork unit) {
    submit(std::move(unit), [](const base::Result<Receipt>&) {});
  }

  /// Waits for the outcome. A stop or the deadline withdraws the unit while it is queued; once it
  /// is being written the outcome is awaited, so the answer is never in doubt.
  virtual base::Result<Receipt> commit(UnitOfWork unit, const base::StopToken& stop = {},
                                       base::Deadline deadline = base::Deadline::never()) = 0;

  using Read = std::function<base::Result<void>(Snapshot&)>;
  /// Runs `read` on a view of one moment. Waits if all readers are busy.
  virtual base::Result<void> read(const Read& read, const base::StopToken& stop = {},
                                  base::Deadline deadline = base::Deadline::never()) = 0;

  /// Calls `wake` after each commit, in any process, that notified `topic`; sometimes more often.
  /// `wake` must not block.
  [[nodiscard]] virtual std::unique_ptr<Subscription> subscribe(std::string topic,
                                                                std::function<void()> wake) = 0;

  [[nodiscard]] virtual base::Result<EngineFacts> facts() = 0;

  /// Checks the files or tables themselves (pages, indexes, foreign keys); JournalVerify and
  /// RowVerify check their meaning. `corruption` names the problem.
  virtual base::Result<void> check_integrity(const Progress& progress,
                                             const base::StopToken& stop) = 0;
  /// Makes a consistent copy while others work, complete and synced when this returns.
  /// `already_exists` if `target` exists; `invalid_argument` for engines without backups.
  virtual base::Result<void> backup(const std::filesystem::path& target, const Progress& progress,
                                    const base::StopToken& stop) = 0;
  /// Returns unused space to the system.
  virtual base::Result<void> vacuum(const Progress& progress, const base::StopToken& stop) = 0;

  // Convenience over the above.
  base::Result<Rows> query(const Statement& statement, const base::StopToken& stop = {},
                           base::Deadline deadline = base::Deadline::never());
  template <class... Parameters>
  base::Result<Rows> query(Sql sql, Parameters&&... parameters) {
    return query(statement(sql, std::forward<Parameters>(parameters)...));
  }
};

}  // namespace clever::storage
