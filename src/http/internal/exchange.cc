#include "http/internal/exchange.h"

#include <optional>
#include <utility>

namespace clever::http::internal {

void Exchange::post(Command::Kind kind, WireAnswer wire) {
  hub_->post({.kind = kind, .exchange = shared_from_this(), .wire = std::move(wire)});
}

bool Exchange::answer(Response response) {
  const bool first = state_.with([](State& state) {
    if (std::exchange(state.claimed, true) || state.phase != Phase::kOpen) return false;
    state.phase = Phase::kAnswered;
    return true;
  });
  if (!first) return false;
  post(Command::Kind::kAnswer, encode_answer(std::move(response), facts_));
  return true;
}

bool Exchange::begin_stream(const Response& head, Responder::OnClose on_close) {
  if (!hub_->enter_stream()) {
    const bool refused = answer(problem(503, "the server has too many open streams"));
    if (on_close) on_close(refused ? StreamEnd::kRefused : StreamEnd::kPeerGone);
    return false;
  }
  const std::optional<StreamEnd> over = state_.with([&](State& state) -> std::optional<StreamEnd> {
    if (std::exchange(state.claimed, true) || state.phase != Phase::kOpen) return state.reason;
    state.phase = Phase::kStreaming;
    state.on_close = std::move(on_close);
    return std::nullopt;
  });
  if (over) {
    hub_->leave_stream();
    if (on_close) on_close(*over);
    return false;
  }
  post(Command::Kind::kBegin, encode_stream_head(head));
  return true;
}

Stream::Sent Exchange::send(std::string_view bytes) {
  const std::size_t limit = hub_->limits().stream_buffer_bytes;
  bool announce = false;
  const Stream::Sent sent = state_.with([&](State& state) {
    if (state.phase != Phase::kStreaming || state.closed || state.cut) return Stream::Sent::kClosed;
    state.cut = state.pending.size() + state.in_flight + bytes.size() > limit;
    if (state.cut) return Stream::Sent::kFull;
    state.pending.append(bytes);
    announce = !std::exchange(state.announced, true);
    return Stream::Sent::kAccepted;
  });
  if (sent == Stream::Sent::kFull) post(Command::Kind::kCut);
  if (announce) post(Command::Kind::kFlush);
  return sent;
}

void Exchange::close() {
  const bool announce = state_.with([](State& state) {
    // An incomplete stream must not look complete.
    if (state.phase != Phase::kStreaming || state.cut || state.closed) return false;
    state.closed = true;
    return !std::exchange(state.announced, true);
  });
  if (announce) post(Command::Kind::kFlush);
}

std::size_t Exchange::unread() const {
  return state_.with([](const State& state) { return state.pending.size() + state.in_flight; });
}

bool Exchange::is_claimed() const {
  return state_.with([](const State& state) { return state.claimed; });
}

bool Exchange::is_over() const {
  return state_.with([](const State& state) { return state.phase == Phase::kOver; });
}

Exchange::Piece Exchange::take() {
  return state_.with([](State& state) {
    state.announced = false;
    state.in_flight += state.pending.size();
    return Piece{.bytes = std::exchange(state.pending, {}), .last = state.closed};
  });
}

void Exchange::written() {
  state_.with([](State& state) { state.in_flight = 0; });
}

void Exchange::end(StreamEnd reason) {
  session = nullptr;
  bool was_streaming = false;
  const Responder::OnClose on_close = state_.with([&](State& state) {
    was_streaming = state.phase == Phase::kStreaming;
    if (state.phase != Phase::kOver) state.reason = reason;
    state.phase = Phase::kOver;
    state.pending = {};
    return std::exchange(state.on_close, {});
  });
  if (was_streaming) hub_->leave_stream();
  if (on_close) on_close(reason);
}

}  // namespace clever::http::internal
