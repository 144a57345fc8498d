#pragma once
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/atomic.h"
#include "base/guarded.h"
#include "base/stop_token.h"
#include "storage/internal/commit_queue.h"
#include "storage/internal/notifications.h"
#include "storage/postgres/internal/attempt.h"
#include "storage/postgres/internal/connector.h"
#include "storage/postgres/internal/group.h"

namespace clever::storage::postgres {

/// What the writers of an engine share. Thread-safe.
struct WritersShare {
  // Constant after construction.
  const Connector& connector;
  internal::CommitQueue& queue;
  internal::Notifications& notifications;
  std::string name;  // of the engine, among all that use the database
  std::int64_t schema_version = 0;
  std::size_t group = 512;
  /// Stopped when the engine no longer waits for the server.
  base::StopToken abandon;
  // Guarded.
  Turns turns{};
  base::Guarded<base::TimePoint> next_sweep{};
  // Publishes nothing but itself.
  base::Atomic<std::uint64_t> groups{};
};

/// Takes units from the queue and commits them, over a connection of its own that it replaces when
/// it is lost. Used by one thread.
///
/// Every unit is answered with what happened to it. When the connection is lost before COMMIT was
/// sent, nothing happened and the group is run again, for at most Connector::kAttempts. When it is
/// lost afterwards, the same transaction is submitted again under its key: the key is unique, so it
/// either goes through or was there already. That is done for as long as it takes, though after
/// kAttempts only to find out. Only the end of the engine cuts it short; then, and after
/// kMostDoubt, the answer is an `unavailable` that says that the outcome is unknown.
class Writer {
 public:
  static constexpr std::chrono::hours kSweepEvery{1};

  explicit Writer(WritersShare& share) : share_(share) {}

  /// Until the queue is closed and empty.
  void run();

 private:
  // Units are taken only when they can be worked on, so that none waits for a certain writer.
  void commit_next();
  void commit(Group& group, Turns::Turn turn);
  // One attempt and its consequences; true when the group was answered.
  [[nodiscard]] bool attempt(Group& group, Turns::Turn turn);
  // Like it, after everything that it needs has been had again.
  [[nodiscard]] bool attempt_again(Group& group);
  [[nodiscard]] bool conclude(Group& group, const Ended& ended);
  [[nodiscard]] bool refused(Group& group, const Ended& ended);
  [[nodiscard]] bool again(Group& group, const Ended& ended);
  void split(Group& group);
  void succeeded(Group& group);
  bool failed(Group& group, const base::Error& error);

  [[nodiscard]] base::Result<void> ensure_connection();
  [[nodiscard]] base::Result<Turns::Turn> ready();
  [[nodiscard]] base::Result<void> connect();
  void tell_others();
  void sweep();
  [[nodiscard]] Patience patience() const { return {.stop = share_.abandon}; }

  WritersShare& share_;
  std::unique_ptr<Connection> connection_;
  AttemptPlan plan_;
  std::vector<std::string> owed_;  // topics that others have not been told of yet

  // About the present group.
  struct Course {
    bool in_doubt = false;
    std::int64_t database_time = 0;
    unsigned rounds = 0;  // that found new suspects
    unsigned repetitions = 0;
    base::Deadline enough = base::Deadline::never();
  };
  Course course_;
};

}  // namespace clever::storage::postgres
