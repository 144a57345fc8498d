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

/// One of our messages: a JSON-RPC text without line ends, and its HTTP headers.
struct Outgoing {
  std::string text{};
  /// Empty for an answer.
  std::string method{};
  /// The number of a request; none for notifications and answers.
  std::optional<RequestNumber> number{};
  /// The called name, for the Mcp-Name header.
  std::string name{};
  /// Mcp-Param-… headers.
  std::vector<io::HttpHeader> parameters{};
};

/// Why a request got no JSON-RPC answer.
struct RequestLoss {
  base::Error error;
  /// The HTTP status, if there was one.
  int status = 0;
  /// The body of that status, cut.
  std::string body{};
};

/// Receives a server's messages. The transport's own thread calls it, one call at a time per
/// stream; must not block.
class TransportSink {
 public:
  virtual ~TransportSink() = default;
  /// One JSON-RPC text. `stream`: the request whose stream carried it, if streams exist. Returns
  /// true if it settled that request.
  virtual bool on_message(std::string_view text, std::optional<RequestNumber> stream) = 0;
  /// The request will not be answered; the connection continues.
  virtual void on_loss(RequestNumber number, RequestLoss loss) = 0;
  /// Its stream broke off and can be resumed: the waiting caller calls Transport::resume() after
  /// the pause.
  virtual void on_pause(RequestNumber number, std::chrono::milliseconds pause) = 0;
  /// The end of the connection, at most once.
  virtual void on_close(base::Error why) = 0;
};

/// Carries JSON-RPC texts to one server and back. Thread-safe except start() and the destructor,
/// which ends calls in progress: afterwards the sink is not called any more.
class Transport {
 public:
  virtual ~Transport() = default;
  /// Call once, first. The sink must outlive the transport.
  virtual void start(TransportSink& sink) = 0;
  /// Never blocks. `resource_exhausted` if the server does not read, `unavailable` after the end.
  virtual base::Result<void> send(Outgoing message) = 0;
  /// Ends the wait for an answer. Returns true if that notified the server, or it never saw the
  /// request; false if a message must notify it.
  virtual bool abandon(RequestNumber number) = 0;
  /// Sets the agreed revision.
  virtual void use_protocol(std::string_view revision) = 0;
  /// Opens a stream for the server's own messages, if revision and transport have one and it is not
  /// open.
  virtual void listen() {}
  /// Resumes the stream of a request after on_pause().
  virtual void resume(RequestNumber) {}
  /// Whether each request has its own stream and headers (HTTP).
  [[nodiscard]] virtual bool has_headers() const = 0;
};

}  // namespace clever::mcp
