#include "support/internal/http_connection.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace clever::test::internal {
namespace {

std::size_t body_size(const std::vector<Step>& steps) {
  std::size_t size = 0;
  for (const Step& step : steps) {
    if (const auto* send = std::get_if<Send>(&step)) size += send->bytes.size();
  }
  return size;
}

std::string framing_headers(const HttpReply& reply) {
  switch (reply.framing) {
    case Framing::kContentLength:
      return "Content-Length: " +
             std::to_string(reply.content_length.value_or(body_size(reply.steps))) + "\r\n";
    case Framing::kChunked:
      return "Transfer-Encoding: chunked\r\n";
    case Framing::kUntilClose:
    case Framing::kNone:
      break;
  }
  return {};
}

bool stays_open(const HttpReply& reply) {
  return reply.keep_alive && reply.framing != Framing::kUntilClose;
}

std::string head_of(const HttpReply& reply) {
  if (reply.raw_head) return *reply.raw_head;
  std::string head = "HTTP/1.1 " + std::to_string(reply.status) + " Status\r\n";
  for (const auto& [name, value] : reply.headers) {
    head.append(name).append(": ").append(value).append("\r\n");
  }
  head += framing_headers(reply);
  if (!stays_open(reply)) head += "Connection: close\r\n";
  return head + "\r\n";
}

std::string hexadecimal(std::size_t number) {
  std::string digits;
  do {
    digits.insert(digits.begin(), "0123456789abcdef"[number % 16]);
    number /= 16;
  } while (number != 0);
  return digits;
}

}  // namespace

bool HttpConnection::on_readable() {
  std::string bytes;
  const SocketStream::Reading reading = stream_.read(bytes);
  if (reading == SocketStream::Reading::kEnd) {
    closed_by_peer_ = !ended_;
    return false;
  }
  if (ended_) return true;
  if (tunnel_) {
    [[maybe_unused]] const std::size_t passed = tunnel_->write(bytes);
    return true;
  }
  parser_.add(bytes);
  return playing_ || take_request();
}

bool HttpConnection::take_request() {
  while (!playing_ && !ended_) {
    std::optional<SeenRequest> request = parser_.next();
    if (parser_.broken()) return false;
    if (!request) {
      if (parser_.take_expectation()) output_ += "HTTP/1.1 100 Continue\r\n\r\n";
      flush();
      return true;
    }
    request->connection = number_;
    request->number_on_connection = ++served_;
    begin(host_.handle(std::move(*request)));
    if (!play()) return false;
  }
  return true;
}

void HttpConnection::begin(HttpReply reply) {
  playing_ = true;
  next_step_ = 0;
  reply_ = std::move(reply);
  steps_ = std::exchange(reply_.before_head, {});
  steps_.emplace_back(SendRaw{head_of(reply_)});
  std::ranges::move(reply_.steps, std::back_inserter(steps_));
  reply_.steps.clear();
  if (reply_.framing == Framing::kChunked) steps_.emplace_back(SendRaw{"0\r\n\r\n"});
}

bool HttpConnection::resume() {
  waiting_ = false;
  return play() && (playing_ || take_request());
}

bool HttpConnection::play() {
  flush();
  return !playing_ || waiting_ || !output_.empty() || play_steps();
}

bool HttpConnection::play_steps() {
  while (next_step_ < steps_.size()) {
    const Next next = std::visit([&](auto& step) { return run(step); }, steps_[next_step_]);
    if (next == Next::kOver) return false;
    if (next != Next::kAgain) ++next_step_;
    if (next != Next::kStep) {
      flush();
      return true;
    }
  }
  finish_reply();
  return true;
}

// Comes again when the rest could be written.
void HttpConnection::finish_reply() {
  flush();
  if (!output_.empty()) return;
  playing_ = false;
  steps_ = {};
  if (!stays_open(reply_)) end(true);
  host_.reply_finished();
}

void HttpConnection::flush() {
  std::size_t sent = 0;
  while (sent < output_.size()) {
    const std::size_t now = stream_.write(std::string_view(output_).substr(sent));
    if (now == 0) break;
    sent += now;
  }
  output_.erase(0, sent);
  if (output_.empty()) std::string().swap(output_);
}

void HttpConnection::end(bool in_order) {
  ended_ = true;
  stream_.finish(in_order);
}

HttpConnection::Next HttpConnection::run(Send& step) {
  const bool chunked = reply_.framing == Framing::kChunked;
  if (chunked) output_ += hexadecimal(step.bytes.size()) + "\r\n";
  output_ += std::exchange(step.bytes, {});
  if (chunked) output_ += "\r\n";
  return Next::kStep;
}

HttpConnection::Next HttpConnection::run(SendRaw& step) {
  output_ += std::exchange(step.bytes, {});
  return Next::kStep;
}

HttpConnection::Next HttpConnection::run(Wait& step) {
  waiting_ = true;
  host_.wake_after(number_, step.time);
  return Next::kPause;
}

HttpConnection::Next HttpConnection::run(WaitFor& step) {
  if (host_.gate_is_open(step.gate)) return Next::kStep;
  waiting_ = true;
  flush();
  host_.wait_at(number_, step.gate);
  return Next::kPause;
}

HttpConnection::Next HttpConnection::run(Cut& step) {
  flush();
  if (!output_.empty()) return Next::kAgain;
  if (step.reset) {
    stream_.reset_on_close();
    return Next::kOver;
  }
  end(false);
  waiting_ = true;
  return Next::kPause;
}

HttpConnection::Next HttpConnection::run(Stall& /*step*/) {
  waiting_ = true;
  return Next::kPause;
}

HttpConnection::Next HttpConnection::run(Tunnel& step) {
  tunnel_.emplace(host_.open_tunnel(number_, step.port), nullptr);
  [[maybe_unused]] const std::size_t passed = tunnel_->write(parser_.take_rest());
  waiting_ = true;
  return Next::kPause;
}

bool HttpConnection::on_tunnel_readable() {
  std::string bytes;
  const SocketStream::Reading reading = tunnel_->read(bytes);
  output_ += bytes;
  flush();
  return reading != SocketStream::Reading::kEnd;
}

}  // namespace clever::test::internal
