#pragma once
#include <chrono>
#include <cstddef>
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
#include "server/event_sources.h"
#include "storage/engine.h"

namespace clever::server {

/// Streams of plans' events as Server-Sent Events: every event of a source once, in order, from the
/// one asked for, whatever process writes them.
///
///     event: hello       {"plan_id", "from", "heartbeat_ms"}, over all plans {"after", …}
///     id: 7
///     event: event       as `plan events` has it
///     event: reset       {"plans"}: their present state, instead of events that are too many
///     event: heartbeat   {"last"}: the id of the last event that was sent
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
    /// Returns whether the token of this id is still valid. Asked again whenever rights change.
    std::function<bool(const std::string& token)> admits{};
    std::chrono::milliseconds heartbeat{std::chrono::seconds{15}};
  };
  /// The reader: its token's id (empty: one that cannot be revoked), and when the token ends.
  struct Reader {
    std::string token{};
    std::optional<base::WallTime> until{};
  };
  explicit EventStreams(const Parts& parts);
  ~EventStreams();
  EventStreams(const EventStreams&) = delete;
  EventStreams& operator=(const EventStreams&) = delete;

  /// Answers with a stream of the source's events.
  void open(std::unique_ptr<EventSource> source, const Reader& reader, http::Responder responder);
  /// The number of open streams.
  [[nodiscard]] std::size_t count() const;
  /// Says bye to all readers, now and in the future.
  void drain();

 private:
  class EventStream;
  class Registry;

  const std::shared_ptr<Registry> registry_;
};

}  // namespace clever::server
