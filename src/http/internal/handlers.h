#pragma once
#include <cstddef>
#include <functional>
#include <memory>
#include <utility>

#include "base/monitor.h"
#include "base/thread_pool.h"
#include "http/message.h"
#include "http/responder.h"

namespace clever::http::internal {

/// Runs a server's handler on the pool. Thread-safe; shared with the tasks it posts, so that a task
/// that the pool starts after stop() does nothing.
class Handlers : public std::enable_shared_from_this<Handlers> {
 public:
  using Handler = std::function<void(std::shared_ptr<const Request>, Responder)>;

  Handlers(base::ThreadPool& pool, Handler handler) : pool_(pool), handler_(std::move(handler)) {}

  /// False if the pool's queue is full.
  bool dispatch(std::shared_ptr<const Request> request, Responder responder) {
    return pool_
        .post([self = shared_from_this(), request = std::move(request),
               responder = std::move(responder)]() mutable {
          self->run(std::move(request), std::move(responder));
        })
        .ok();
  }

  /// Waits for running calls, and prevents further ones. Not from a task of the pool.
  void stop() {
    state_.update([](State& state) { state.stopped = true; });
    state_.wait({}, base::Deadline::never(), [](const State& state) { return state.running == 0; })
        .value();
  }

 private:
  struct State {
    std::size_t running = 0;
    bool stopped = false;
  };

  void run(std::shared_ptr<const Request> request, Responder responder) {
    const bool begun = state_.update([](State& state) {
      if (!state.stopped) ++state.running;
      return !state.stopped;
    });
    if (!begun) return;
    handler_(std::move(request), std::move(responder));
    state_.update([](State& state) { --state.running; });
  }

  // Constant after construction.
  base::ThreadPool& pool_;
  const Handler handler_;

  // Shared.
  base::Monitor<State> state_;
};

}  // namespace clever::http::internal
