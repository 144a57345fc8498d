#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "http/internal/date_line.h"
#include "http/internal/request_parser.h"
#include "http/internal/wire.h"
#include "http/limits.h"
#include "http/stream_end.h"

namespace clever::http::internal {

/// One client connection as a state machine: bytes and times go in; requests, bytes and the next
/// due time come out. No socket, no clock, no thread.
///
// clang-format off
///   phase      | what the peer may send        | what ends it
///   kReading   | the next request              | a whole request; a refusal; idle or read time-outs
///   kAnswering | more requests, kept unread    | answer() or begin_stream()
///   kStreaming | more requests, kept unread    | end_stream(); the peer's end
///   kFlushing  | nothing that is looked at     | the output is sent
///   kLingering | nothing that is looked at     | the peer's end, or Limits::linger
///   kOver      |                               | the owner closes the socket
// clang-format on
///
/// Answers one request at a time; reads the next one when the answer is written and the peer has
/// taken most of it, so that output is bounded. Used by one thread.
class Connection {
 public:
  Connection(const Limits& limits, const DateLine& date, base::TimePoint now);

  // Events.
  void receive(std::string_view bytes, base::TimePoint now);
  /// The peer sends no more.
  void receive_end(base::TimePoint now);
  /// The peer took this many bytes of output().
  void sent(std::size_t size, base::TimePoint now);
  /// Call at due() or later.
  void expire(base::TimePoint now);
  /// No further request after the present one.
  void drain(base::TimePoint now);
  void abandon(StreamEnd reason);
  /// Refuses the request that is being read, because the server is overloaded.
  void turn_away(base::TimePoint now);

  // Requests and their answers. Calls in another phase change nothing: an answer may come late.
  /// A request that came in whole; the phase is kAnswering.
  [[nodiscard]] std::optional<ParsedRequest> take_request();
  void answer(const WireAnswer& answer, base::TimePoint now);
  void begin_stream(const WireAnswer& head, base::TimePoint now);
  void send_piece(std::string_view bytes, base::TimePoint now);
  void end_stream(base::TimePoint now);

  // For the owner.
  [[nodiscard]] std::string_view output() const noexcept;
  [[nodiscard]] bool wants_input() const noexcept;
  /// Nothing more will be written, but the peer's input is still read.
  [[nodiscard]] bool wants_shutdown() const noexcept { return phase_ == Phase::kLingering; }
  [[nodiscard]] bool is_streaming() const noexcept { return phase_ == Phase::kStreaming; }
  [[nodiscard]] bool is_over() const noexcept { return phase_ == Phase::kOver; }
  /// It refused its peer's input; at most once, since that ends it.
  [[nodiscard]] bool has_refused() const noexcept { return refused_; }
  /// Of requests: unparsed input, and the body that is being read.
  [[nodiscard]] std::size_t held_bytes() const noexcept;
  /// Why it is over.
  [[nodiscard]] StreamEnd reason() const noexcept { return reason_; }
  [[nodiscard]] base::TimePoint due() const noexcept;

 private:
  enum class Phase : std::uint8_t {
    kReading,
    kAnswering,
    kStreaming,
    kFlushing,
    kLingering,
    kOver,
  };

  void parse(base::TimePoint now);
  void note_progress(RequestParser::State before, bool more_input, base::TimePoint now);
  void refuse(int status, std::string_view reason, base::TimePoint now);
  void write(std::string_view bytes, base::TimePoint now);
  void write_head(const WireAnswer& answer, std::string_view framing, base::TimePoint now);
  void finish_message(base::TimePoint now);
  void await_request(base::TimePoint now);
  void finish(base::TimePoint now);
  [[nodiscard]] bool will_go_on(const WireAnswer& answer) const;

  const Limits& limits_;
  const DateLine& date_;
  RequestParser parser_;
  std::string input_{};  // not parsed yet
  std::string output_{};
  std::size_t output_sent_ = 0;
  std::optional<ParsedRequest> request_{};
  RequestFacts facts_{};  // of the request that is being answered
  std::size_t requests_ = 0;
  std::size_t streams_ = 0;
  base::TimePoint read_due_;
  base::TimePoint write_due_ = base::TimePoint::max();
  Phase phase_ = Phase::kReading;
  StreamEnd reason_ = StreamEnd::kPeerGone;
  bool keep_ = true;      // the connection continues after the present message
  bool chunked_ = false;  // of the present stream
  bool refused_ = false;
  bool ended_ = false;  // the peer sends no more
  bool draining_ = false;
  bool lingers_ = false;  // there may be unread input
};

}  // namespace clever::http::internal
