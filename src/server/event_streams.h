#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "base/thread_pool.h"
#include "base/timer_queue.h"
#include "http/responder.h"
#include "model/id.h"
#include "storage/engine.h"

namespace clever::server {

/// Streams of plans' events as Server-Sent Events: every event of one journal once, in order, from
/// the one asked for, whatever process writes them.
///
///     event: hello       {"plan_id", "from", "heartbeat_ms"}
///     id: 7
///     event: event       as `plan events` has it
///     event: heartbeat   {"last"}: that of the last event that was sent
///     event: bye         {"reason"}: the server stops, or the token that opened it counts no more
///
/// A stream has no thread: a commit wakes a task on the pool. A reader who is slow is waited for as
/// long as he takes anything at all, with no more than one page of events held for him.
///
/// Thread-safe. What it was given must outlive it. Must not be destroyed on a thread of the pool.
class EventStreams {
 public:
  struct Parts {
    storage::Engine& store;
    base::Clock& clock;
    base::ThreadPool& pool;
    base::TimerQueue& timers;
    /// Whether the token of this id still counts. Asked again whenever rights change.
    std::function<bool(const std::string& token)> admits{};
    std::chrono::milliseconds heartbeat{std::chrono::seconds{15}};
  };
  /// Who reads: the id of a token (empty: one that cannot be revoked), and when that ends.
  struct Reader {
    std::string token{};
    std::optional<base::WallTime> until{};
  };
  explicit EventStreams(const Parts& parts);
  ~EventStreams();
  EventStreams(const EventStreams&) = delete;
  EventStreams& operator=(const EventStreams&) = delete;

  /// Answers with a stream of the plan's events from `from` on.
  void open(const model::PlanId& plan, std::int64_t from, const Reader& reader,
            http::Responder responder);
  /// Says bye to everybody, now and from now on.
  void drain();

 private:
  class PlanStream;
  class Registry;

  const std::shared_ptr<Registry> registry_;
};

}  // namespace clever::server
