#include "http/internal/connection.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace clever::http::internal {
namespace {

// Reads the next pipelined request only while less than this waits to be sent.
constexpr std::size_t kMuchOutput = std::size_t{64} << 10U;
// Frees buffers that grew beyond this once they are empty.
constexpr std::size_t kKeptBuffer = std::size_t{4} << 10U;

void clear(std::string& buffer) {
  buffer.clear();
  if (buffer.capacity() > kKeptBuffer) buffer.shrink_to_fit();
}

std::string chunk_size_line(std::size_t size) {
  std::array<char, 20> digits{};
  const auto end = std::to_chars(digits.begin(), digits.end(), size, 16).ptr;
  return std::string(digits.begin(), end) + "\r\n";
}

}  // namespace

Connection::Connection(const Limits& limits, const DateLine& date, base::TimePoint now)
    : limits_(limits), date_(date), parser_(limits), read_due_(now + limits.read_head) {}

void Connection::receive(std::string_view bytes, base::TimePoint now) {
  if (phase_ == Phase::kFlushing || phase_ == Phase::kLingering || phase_ == Phase::kOver) return;
  input_.append(bytes);
  parse(now);
}

void Connection::parse(base::TimePoint now) {
  std::size_t taken = 0;
  while (phase_ == Phase::kReading && taken < input_.size() && output().size() < kMuchOutput) {
    const RequestParser::State before = parser_.state();
    taken += parser_.feed(std::string_view(input_).substr(taken));
    note_progress(before, taken < input_.size(), now);
  }
  input_.erase(0, taken);
  if (input_.empty()) clear(input_);
  if (phase_ == Phase::kReading && ended_ && output().empty()) receive_end(now);
}

void Connection::note_progress(RequestParser::State before, bool more_input, base::TimePoint now) {
  using State = RequestParser::State;
  const State after = parser_.state();
  if (before == State::kIdle) read_due_ = now + limits_.read_head;
  if (after == State::kBody && before != State::kBody) {
    read_due_ = now + limits_.read_body;
    if (parser_.take_expectation() && !more_input) write("HTTP/1.1 100 Continue\r\n\r\n", now);
  }
  if (after == State::kRefused) {
    refuse(parser_.refusal().status, parser_.refusal().reason, now);
  } else if (after == State::kWhole) {
    request_ = parser_.take();
    facts_ = request_->facts;
    phase_ = Phase::kAnswering;
    read_due_ = base::TimePoint::max();
    ++requests_;
  }
}

std::optional<ParsedRequest> Connection::take_request() {
  return std::exchange(request_, std::nullopt);
}

void Connection::receive_end(base::TimePoint now) {
  ended_ = true;
  switch (phase_) {
    case Phase::kReading:
      // With output left, parse() resumes here after sending it.
      if (!output().empty()) break;
      if (parser_.state() != RequestParser::State::kIdle) {
        refuse(400, "the request is cut off", now);
      } else {
        abandon(StreamEnd::kPeerGone);
      }
      break;
    case Phase::kStreaming:
    case Phase::kLingering:
      abandon(StreamEnd::kPeerGone);
      break;
    default:
      break;
  }
}

void Connection::sent(std::size_t size, base::TimePoint now) {
  output_sent_ += size;
  if (!output().empty()) {
    write_due_ = now + limits_.write;
    return;
  }
  output_sent_ = 0;
  clear(output_);
  write_due_ = base::TimePoint::max();
  if (phase_ == Phase::kFlushing) {
    if (!lingers_ || ended_) return abandon(StreamEnd::kClosed);
    phase_ = Phase::kLingering;
    read_due_ = now + limits_.linger;
  } else if (phase_ == Phase::kReading) {
    parse(now);
  }
}

void Connection::expire(base::TimePoint now) {
  if (write_due_ <= now) return abandon(StreamEnd::kTimedOut);
  if (read_due_ > now) return;
  if (phase_ == Phase::kLingering || parser_.state() == RequestParser::State::kIdle) {
    return abandon(StreamEnd::kTimedOut);
  }
  refuse(408, "the request did not arrive in time", now);
}

void Connection::drain(base::TimePoint now) {
  draining_ = true;
  const bool idle =
      phase_ == Phase::kReading && input_.empty() && parser_.state() == RequestParser::State::kIdle;
  if (idle) finish(now);
}

void Connection::abandon(StreamEnd reason) {
  if (phase_ == Phase::kOver) return;
  phase_ = Phase::kOver;
  reason_ = reason;
  read_due_ = write_due_ = base::TimePoint::max();
}

void Connection::turn_away(base::TimePoint now) {
  if (phase_ == Phase::kReading) refuse(503, "the server has reached its memory limit", now);
}

void Connection::refuse(int status, std::string_view reason, base::TimePoint now) {
  keep_ = false;
  lingers_ = true;
  refused_ = true;
  parser_.abandon();
  const WireAnswer answer = encode_answer(problem(status, reason), {});
  write_head(answer, {}, now);
  write(answer.body, now);
  finish(now);
}

void Connection::answer(const WireAnswer& answer, base::TimePoint now) {
  if (phase_ != Phase::kAnswering) return;
  keep_ = will_go_on(answer);
  write_head(answer, {}, now);
  write(answer.body, now);
  finish_message(now);
}

void Connection::begin_stream(const WireAnswer& head, base::TimePoint now) {
  if (phase_ != Phase::kAnswering) return;
  ++streams_;
  chunked_ = !facts_.is_http_1_0;
  keep_ = will_go_on(head) && chunked_ && streams_ < limits_.streams_per_connection;
  write_head(head, chunked_ ? "Transfer-Encoding: chunked\r\n" : "", now);
  phase_ = Phase::kStreaming;
  if (facts_.is_head) return finish_message(now);
  if (ended_) abandon(StreamEnd::kPeerGone);
}

void Connection::send_piece(std::string_view bytes, base::TimePoint now) {
  if (phase_ != Phase::kStreaming || bytes.empty()) return;
  if (chunked_) write(chunk_size_line(bytes.size()), now);
  write(bytes, now);
  if (chunked_) write("\r\n", now);
}

void Connection::end_stream(base::TimePoint now) {
  if (phase_ != Phase::kStreaming) return;
  if (chunked_) write("0\r\n\r\n", now);
  finish_message(now);
}

bool Connection::will_go_on(const WireAnswer& answer) const {
  return facts_.keep_alive && !answer.close && !draining_ && (!ended_ || !input_.empty()) &&
         requests_ < limits_.requests_per_connection;
}

void Connection::write(std::string_view bytes, base::TimePoint now) {
  if (output().empty()) write_due_ = now + limits_.write;
  output_.append(bytes);
}

void Connection::write_head(const WireAnswer& answer, std::string_view framing,
                            base::TimePoint now) {
  write(answer.head, now);
  output_.append(framing);
  output_.append(date_.text());
  if (!keep_) {
    output_.append("Connection: close\r\n");
  } else if (facts_.is_http_1_0) {
    output_.append("Connection: keep-alive\r\n");
  }
  output_.append("\r\n");
}

void Connection::finish_message(base::TimePoint now) {
  if (keep_ && !draining_) {
    await_request(now);
  } else {
    lingers_ = lingers_ || !input_.empty();
    finish(now);
  }
}

void Connection::await_request(base::TimePoint now) {
  phase_ = Phase::kReading;
  read_due_ = now + limits_.idle;
  parse(now);
}

// Ends the connection after its output is sent.
void Connection::finish(base::TimePoint now) {
  clear(input_);
  phase_ = Phase::kFlushing;
  read_due_ = base::TimePoint::max();
  if (output().empty()) sent(0, now);
}

std::size_t Connection::held_bytes() const noexcept { return input_.size() + parser_.body_bytes(); }

std::string_view Connection::output() const noexcept {
  return std::string_view(output_).substr(output_sent_);
}

bool Connection::wants_input() const noexcept {
  return !ended_ && phase_ != Phase::kOver && input_.size() < limits_.pipelined_bytes;
}

base::TimePoint Connection::due() const noexcept { return std::min(read_due_, write_due_); }

}  // namespace clever::http::internal
