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

/// State shared by an engine's writers. Thread-safe.
struct WritersShare {
  // Constant after construction.
  const Connector& connector;
  internal::CommitQueue& queue;
  internal::Notifications& notifications;
  std::string name;  // the engine's name, unique among all users of the database
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

/// Takes units from the queue and commits them over its own connection, which it replaces when it
/// is lost. Used by one thread.
///
/// Every unit is answered with its outcome. If the connection is lost before COMMIT was sent,
/// nothing happened, and the group runs again, for at most Connector::kAttempts. If it is lost
/// later, the same transaction is sent again under its unique key: it either succeeds or was
/// committed before. That continues as long as needed, after kAttempts only to learn the outcome.
/// Only the end of the engine cuts it short; then, and after kMostDoubt, the answer is an
/// `unavailable` that says that the outcome is unknown.
class Writer {
 public:
  static constexpr std::chrono::hours kSweepEvery{1};

  explicit Writer(WritersShare& share) : share_(share) {}

  /// Runs until the queue is closed and empty.
  void run();

 private:
  // Takes units only when it can work on them, so that none waits for a particular writer.
  void commit_next();
  void commit(Group& group, Turns::Turn turn);
  // One attempt and its consequences; true once the group was answered.
  [[nodiscard]] bool attempt(Group& group, Turns::Turn turn);
  // The same, after acquiring again everything that it needs.
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
  std::vector<std::string> owed_;  // topics that still have to be announced to other engines

  // The state of the present group.
  struct Course {
    bool in_doubt = false;
    std::int64_t database_time = 0;
    unsigned rounds = 0;  // rounds that found new suspects
    unsigned repetitions = 0;
    base::Deadline enough = base::Deadline::never();
  };
  Course course_;
};

}  // namespace clever::storage::postgres
