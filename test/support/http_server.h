#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "io/http.h"
#include "support/certificate.h"

// An HTTP/1.1 server for tests, over real sockets on 127.0.0.1, with every fault a server can have:
//
//   HttpServer server([](const SeenRequest& request) {
//     return HttpReply{.framing = Framing::kChunked,
//                      .steps = {Send{"one"}, WaitFor{"go"}, Send{"two"}, Cut{}}};
//   });
//   …  server.url("/v1/models") …  server.open_gate("go"); …
//   EXPECT_TRUE(server.wait_for_requests(1));
namespace clever::test {

/// A request as it arrived. Header names are in lower case.
struct SeenRequest {
  std::string method{};
  std::string target{};  // as sent: a path, the whole URL for a proxy, host:port for CONNECT
  std::vector<io::HttpHeader> headers{};
  std::string body{};
  std::size_t number = 0;      // of this server, from 1
  std::size_t connection = 0;  // of this server, from 1
  std::size_t number_on_connection = 0;

  /// The first header of that (lower-case) name, or an empty text.
  [[nodiscard]] std::string header(std::string_view name) const;
};

// What a reply does, one after the other.

/// A piece of the body, framed as the reply says.
struct Send {
  std::string bytes{};
};
/// Bytes as they are, without framing: what is not HTTP.
struct SendRaw {
  std::string bytes{};
};
/// Real time.
struct Wait {
  std::chrono::milliseconds time{};
};
/// Until the test opens that gate: HttpServer::open_gate(). An open gate stays open.
struct WaitFor {
  std::string gate{};
};
/// Ends the connection in the middle: by a reset, or by an orderly end of the stream.
struct Cut {
  bool reset = true;
};
/// Nothing more is sent, and the connection stays open until the client gives up.
struct Stall {};
/// What a proxy does after CONNECT: passes bytes both ways, between the client and a local port.
struct Tunnel {
  int port = 0;
};
using Step = std::variant<Send, SendRaw, Wait, WaitFor, Cut, Stall, Tunnel>;

enum class Framing : std::uint8_t {
  kContentLength,  // the sum of all Send
  kChunked,
  kUntilClose,
  kNone,  // no body, and no header that says so: 204, 304, CONNECT
};

/// What the server does about one request.
struct HttpReply {
  int status = 200;
  std::vector<io::HttpHeader> headers{};
  Framing framing = Framing::kContentLength;
  /// A lie about the length, for Framing::kContentLength.
  std::optional<std::size_t> content_length{};
  /// Before the status line: a slow server, or one that cuts before it answers.
  std::vector<Step> before_head{};
  std::vector<Step> steps{};
  /// Whether the connection serves another request afterwards; if not, the reply says so.
  bool keep_alive = true;
  /// Sent instead of the status line and the headers.
  std::optional<std::string> raw_head{};
};

/// A reply with a whole body.
[[nodiscard]] HttpReply whole_reply(std::string body, std::string_view content_type = "text/plain",
                                    int status = 200);

/// Called on the server's thread, for one request at a time: must not block.
using HttpHandler = std::function<HttpReply(const SeenRequest&)>;

/// Answers whatever is asked with the same.
[[nodiscard]] inline HttpHandler always(const HttpReply& reply) {
  return [reply](const SeenRequest&) { return reply; };
}

struct HttpServerOptions {
  /// HTTPS with this certificate; plain HTTP without.
  std::optional<Certificate> certificate{};
  /// Off for benchmarks: requests are counted, not kept.
  bool keep_requests = true;
  /// Connections are accepted and closed at once without a byte.
  bool refuse = false;
  /// Connections are accepted, and nothing is read or sent: not even a TLS handshake.
  bool mute = false;
};

/// Owned by a test. Thread-safe. The destructor closes every connection and ends the thread.
class HttpServer {
 public:
  explicit HttpServer(HttpHandler handler, HttpServerOptions options = {});
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  [[nodiscard]] int port() const;
  /// http://127.0.0.1:PORT/path, or https://localhost:PORT/path.
  [[nodiscard]] std::string url(std::string_view path = "/") const;

  /// Lets the replies go on that wait for this gate, now and later.
  void open_gate(std::string_view gate);
  /// Closes the idle connections that have served a request, as a server does after some time.
  void close_idle_connections();

  [[nodiscard]] std::vector<SeenRequest> requests() const;
  [[nodiscard]] std::size_t request_count() const;
  [[nodiscard]] std::size_t connections_opened() const;
  /// Those the client closed or reset.
  [[nodiscard]] std::size_t connections_closed_by_peer() const;
  /// How many replies have been handed to the system to the last step.
  [[nodiscard]] std::size_t replies_finished() const;

  // Each waits until there were so many in all; false after the limit, which only a failing test
  // reaches.
  static constexpr std::chrono::seconds kLimit{60};
  [[nodiscard]] bool wait_for_requests(std::size_t count, std::chrono::seconds limit = kLimit);
  [[nodiscard]] bool wait_for_connections(std::size_t count, std::chrono::seconds limit = kLimit);
  [[nodiscard]] bool wait_for_closed_by_peer(std::size_t count,
                                             std::chrono::seconds limit = kLimit);
  [[nodiscard]] bool wait_for_replies(std::size_t count, std::chrono::seconds limit = kLimit);
  /// How many replies wait at this gate.
  [[nodiscard]] bool wait_for_waiting(std::string_view gate, std::size_t count,
                                      std::chrono::seconds limit = kLimit);

 private:
  class Loop;
  std::unique_ptr<Loop> loop_;
};

/// Raises this process's limit on open files to what it may be: for thousands of connections.
void allow_many_connections();

}  // namespace clever::test
