#include "http/internal/session.h"

#include <optional>

namespace clever::http::internal {
namespace {

// A request that counts in the hub for as long as it is held.
struct HeldRequest {
  HeldRequest(std::shared_ptr<Hub> counter, Request received)
      : hub(std::move(counter)), request(std::move(received)), size(request.body.size()) {
    static_cast<void>(hub->hold(size));
  }
  ~HeldRequest() { hub->let_go(size); }
  HeldRequest(const HeldRequest&) = delete;
  HeldRequest& operator=(const HeldRequest&) = delete;

  const std::shared_ptr<Hub> hub;
  const Request request;
  const std::size_t size;
};

}  // namespace

Session::Session(const Surroundings& surroundings, Peer peer, Client* client, base::TimePoint now)
    : hub_(surroundings.hub),
      dispatch_(surroundings.dispatch),
      at_once_(surroundings.at_once),
      peer_(std::move(peer)),
      client_(client),
      connection_(surroundings.hub->limits(), surroundings.date, now) {}

Session::~Session() {
  end_exchange(StreamEnd::kStopped);
  hub_->let_go(held_);
}

void Session::receive(std::string_view bytes, base::TimePoint now) {
  connection_.receive(bytes, now);
  settle(now);
  account(now);
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

// Forwards what the stream's handle has sent. Called once the peer has taken everything before.
void Session::pump(base::TimePoint now) {
  if (!connection_.is_streaming()) return;
  const Exchange::Piece piece = exchange_->take();
  connection_.send_piece(piece.bytes, now);
  if (!piece.last) return;
  end_exchange(StreamEnd::kClosed);
  connection_.end_stream(now);
}

// Only the session that raises the total is rejected for it.
void Session::account(base::TimePoint now) {
  const std::size_t before = std::exchange(held_, connection_.held_bytes());
  const bool fits = hub_->hold(held_);
  hub_->let_go(before);
  if (fits || held_ <= before) return;
  connection_.turn_away(now);
  settle(now);
  account(now);
}

void Session::settle(base::TimePoint now) {
  while (std::optional<ParsedRequest> parsed = connection_.take_request()) {
    begin_exchange(*std::move(parsed), now);
  }
  if (connection_.is_over()) end_exchange(connection_.reason());
  if (connection_.has_refused() && !std::exchange(refusal_noted_, true)) hub_->note_refusal();
}

void Session::begin_exchange(ParsedRequest parsed, base::TimePoint now) {
  parsed.request.peer = peer_;
  if (auto known = at_once_ ? at_once_(parsed.request) : std::nullopt) {
    hub_->note_request();
    connection_.answer(encode_answer(*std::move(known), parsed.facts), now);
    return;
  }
  const auto exchange = std::make_shared<Exchange>(hub_, parsed.facts);
  const auto held = std::make_shared<HeldRequest>(hub_, std::move(parsed.request));
  hub_->note_request();
  exchange->session = this;
  exchange_ = exchange;
  if (dispatch_({held, &held->request}, Responder(exchange))) return;
  // The refused responder answered 500 with a command that comes too late.
  end_exchange(StreamEnd::kRefused);
  connection_.answer(encode_answer(problem(503, "the server is busy"), parsed.facts), now);
}

void Session::end_exchange(StreamEnd reason) {
  if (exchange_ != nullptr) std::exchange(exchange_, nullptr)->end(reason);
}

}  // namespace clever::http::internal
