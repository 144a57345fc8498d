#include "http/internal/session.h"

#include <optional>

namespace clever::http::internal {

Session::Session(const Surroundings& surroundings, Peer peer, Client* client, base::TimePoint now)
    : hub_(surroundings.hub),
      dispatch_(surroundings.dispatch),
      peer_(std::move(peer)),
      client_(client),
      connection_(surroundings.hub->limits(), surroundings.date, now) {}

Session::~Session() { end_exchange(StreamEnd::kStopped); }

void Session::receive(std::string_view bytes, base::TimePoint now) {
  connection_.receive(bytes, now);
  settle(now);
}

void Session::receive_end(base::TimePoint now) {
  connection_.receive_end(now);
  settle(now);
}

void Session::sent(std::size_t size, base::TimePoint now) {
  connection_.sent(size, now);
  if (connection_.is_streaming() && connection_.output().empty()) {
    exchange_->written();
    pump(now);
  }
  settle(now);
}

void Session::expire(base::TimePoint now) {
  connection_.expire(now);
  settle(now);
}

void Session::drain(base::TimePoint now) {
  connection_.drain(now);
  settle(now);
}

void Session::abandon(StreamEnd reason, base::TimePoint now) {
  connection_.abandon(reason);
  settle(now);
}

void Session::apply(const Command& command, base::TimePoint now) {
  switch (command.kind) {
    case Command::Kind::kAnswer:
      end_exchange(StreamEnd::kClosed);
      connection_.answer(command.wire, now);
      break;
    case Command::Kind::kBegin:
      connection_.begin_stream(command.wire, now);
      if (!connection_.is_streaming() && !connection_.is_over()) end_exchange(StreamEnd::kClosed);
      break;
    case Command::Kind::kFlush:
      if (connection_.output().empty()) pump(now);
      break;
    case Command::Kind::kCut:
      connection_.abandon(StreamEnd::kSlowReader);
      break;
    case Command::Kind::kDrain:
      break;
  }
  settle(now);
}

// Passes on what the stream's handle has sent. Called when the peer has taken everything before.
void Session::pump(base::TimePoint now) {
  if (!connection_.is_streaming()) return;
  const Exchange::Piece piece = exchange_->take();
  connection_.send_piece(piece.bytes, now);
  if (!piece.last) return;
  end_exchange(StreamEnd::kClosed);
  connection_.end_stream(now);
}

void Session::settle(base::TimePoint now) {
  while (std::optional<ParsedRequest> parsed = connection_.take_request()) {
    begin_exchange(*std::move(parsed), now);
  }
  if (connection_.is_over()) end_exchange(connection_.reason());
}

void Session::begin_exchange(ParsedRequest parsed, base::TimePoint now) {
  const auto exchange = std::make_shared<Exchange>(hub_, parsed.facts);
  auto request = std::make_shared<Request>(std::move(parsed.request));
  request->peer = peer_;
  exchange->session = this;
  exchange_ = exchange;
  if (dispatch_(std::move(request), Responder(exchange))) return;
  // The refused responder has answered 500 by a command that comes too late.
  end_exchange(StreamEnd::kRefused);
  connection_.answer(encode_answer(problem(503, "the server is busy"), parsed.facts), now);
}

void Session::end_exchange(StreamEnd reason) {
  if (exchange_ != nullptr) std::exchange(exchange_, nullptr)->end(reason);
}

}  // namespace clever::http::internal
