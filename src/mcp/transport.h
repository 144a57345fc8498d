#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "io/http.h"

namespace clever::mcp {

/// The number of one of our requests: its JSON-RPC id.
using RequestNumber = std::int64_t;

/// A message of ours: one JSON-RPC text without line ends, and what HTTP says of it in headers.
struct Outgoing {
  std::string text{};
  /// Empty for an answer.
  std::string method{};
  /// Of a request; none for notifications and answers.
  std::optional<RequestNumber> number{};
  /// What is called, for the Mcp-Name header.
  std::string name{};
  /// Mcp-Param-… headers.
  std::vector<io::HttpHeader> parameters{};
};

/// Why a request got no JSON-RPC answer.
struct RequestLoss {
  base::Error error;
  /// Of HTTP, if there was one.
  int status = 0;
  /// What came with that status, cut.
  std::string body{};
};

/// Receives what a server says. Called by the transport's own thread, one call at a time per
/// stream; must not block.
class TransportSink {
 public:
  virtual ~TransportSink() = default;
  /// One JSON-RPC text. `stream`: the request on whose stream it came, where there are such. True
  /// if it settled that request.
  virtual bool on_message(std::string_view text, std::optional<RequestNumber> stream) = 0;
  /// The request will not be answered; the connection as such goes on.
  virtual void on_loss(RequestNumber number, RequestLoss loss) = 0;
  /// Its stream broke off, and can be taken up again: whoever waits calls Transport::resume() after
  /// the pause.
  virtual void on_pause(RequestNumber number, std::chrono::milliseconds pause) = 0;
  /// The end of everything, at most once.
  virtual void on_close(base::Error why) = 0;
};

/// Carries JSON-RPC texts to one server and back. Thread-safe but for start() and the destructor,
/// which end what is under way: afterwards the sink is not called any more.
class Transport {
 public:
  virtual ~Transport() = default;
  /// Once, before anything else. The sink must outlive the transport.
  virtual void start(TransportSink& sink) = 0;
  /// Never blocks. `resource_exhausted` if the server does not take what was sent before,
  /// `unavailable` after the end.
  virtual base::Result<void> send(Outgoing message) = 0;
  /// Nobody waits for this answer any more. True if the server has been told by that, or has never
  /// seen the request; false if it must be told by a message.
  virtual bool abandon(RequestNumber number) = 0;
  /// The revision that was agreed on.
  virtual void use_protocol(std::string_view revision) = 0;
  /// Opens a stream for what the server says by itself, if the revision and the transport have one
  /// and it is not open.
  virtual void listen() {}
  /// Takes up the stream of a request again after on_pause().
  virtual void resume(RequestNumber) {}
  /// Whether each request has a stream of its own and headers (HTTP).
  [[nodiscard]] virtual bool has_headers() const = 0;
};

}  // namespace clever::mcp
