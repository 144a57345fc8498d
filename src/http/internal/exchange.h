#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/guarded.h"
#include "http/internal/hub.h"
#include "http/internal/request_facts.h"
#include "http/message.h"
#include "http/responder.h"

namespace clever::http::internal {

class Session;

/// One request from its arrival to the end of its answer: shared by its handles (Responder, Stream)
/// and the network thread.
///
/// Thread-safe; `session` belongs to the network thread. The first answer claims it; the first end
/// counts, and calls on_close without a lock.
class Exchange : public std::enable_shared_from_this<Exchange> {
 public:
  /// What the network thread writes next.
  struct Piece {
    std::string bytes{};
    bool last = false;  // the stream was closed
  };

  Exchange(std::shared_ptr<Hub> hub, RequestFacts facts) : hub_(std::move(hub)), facts_(facts) {}

  // The handles'.
  bool answer(Response response);
  bool begin_stream(const Response& head, Responder::OnClose on_close);
  Stream::Sent send(std::string_view bytes);
  void close();
  [[nodiscard]] std::size_t unread() const;
  [[nodiscard]] bool is_claimed() const;
  [[nodiscard]] bool is_over() const;

  // The network thread's.
  /// Returns everything sent and not taken before. It counts against the stream's buffer until
  /// written().
  [[nodiscard]] Piece take();
  /// The peer has received everything that was taken.
  void written();
  /// The connection does nothing more for this exchange.
  void end(StreamEnd reason);
  /// Null once the connection has ended, so that a late command finds nothing.
  Session* session = nullptr;

 private:
  enum class Phase : std::uint8_t { kOpen, kAnswered, kStreaming, kOver };

  struct State {
    Phase phase = Phase::kOpen;
    StreamEnd reason = StreamEnd::kPeerGone;  // once it is over
    bool claimed = false;                     // by the first answer
    bool closed = false;                      // by the stream's handle
    bool cut = false;
    bool announced = false;  // the network thread will call take()
    std::string pending{};
    std::size_t in_flight = 0;  // taken, not written
    Responder::OnClose on_close{};
  };

  void post(Command::Kind kind, WireAnswer wire = {});

  // Constant after construction.
  const std::shared_ptr<Hub> hub_;
  const RequestFacts facts_;

  // Shared.
  base::Guarded<State> state_;
};

}  // namespace clever::http::internal
