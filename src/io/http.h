#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

// An HTTP client for the rest of the program: requests whose answers arrive in pieces. The real one
// is io/http_client.h; the simulator and tests have their own.
namespace clever::io {

struct HttpHeader {
  std::string name;
  std::string value;
  friend bool operator==(const HttpHeader&, const HttpHeader&) = default;
};

/// Time limits for each part of an exchange. Zero means no limit.
struct HttpDeadlines {
  std::chrono::milliseconds connect{10'000};      // name lookup, connection and TLS
  std::chrono::milliseconds first_byte{600'000};  // from the request to the answer's head
  std::chrono::milliseconds idle{300'000};        // between two pieces of the answer
  std::chrono::milliseconds total{0};
};

struct HttpRequest {
  std::string method = "POST";
  std::string url{};
  std::vector<HttpHeader> headers{};
  std::string body{};
  HttpDeadlines deadlines{};
  /// Longer answers are refused (kTooLarge); in bytes after unpacking.
  std::size_t answer_limit = std::size_t{64} << 20U;
  /// Goes nowhere but to public addresses, whatever the host's name leads to: kConnect otherwise.
  /// No proxy is used, for it would decide.
  bool public_only = false;
};

/// The status line and the headers of an answer. Header names are in lower case.
struct HttpHead {
  int status = 0;
  std::string version{};  // "1.1", "2"
  std::vector<HttpHeader> headers{};

  /// The first header of that (lower-case) name.
  [[nodiscard]] std::optional<std::string_view> header(std::string_view name) const;
};

/// Why an exchange has no complete answer.
enum class HttpFailure : std::uint8_t {
  kBadUrl,    // not a URL, or a scheme other than http and https
  kResolve,   // the host's name is unknown
  kConnect,   // refused, unreachable, or refused by the proxy
  kTls,       // the certificate is not trusted, or the TLS handshake failed
  kTimeout,   // one of HttpDeadlines, which the message names
  kCut,       // the connection ended before the answer was complete
  kProtocol,  // the answer is not HTTP
  kTooLarge,  // longer than answer_limit
  kBomb,      // it unpacks to far more than was sent, or is packed more than once
  kCancelled,
  kNoLibrary,  // the HTTP library is not installed
};
[[nodiscard]] std::string_view to_string(HttpFailure failure) noexcept;

/// How an exchange ended: completely if there is no failure.
struct HttpEnd {
  std::optional<HttpFailure> failure{};
  /// What happened, for a person, with host and port but without credentials; empty on success.
  std::string message{};
  /// Whether the request was sent on a connection that had served another before.
  bool reused_connection = false;

  [[nodiscard]] bool whole() const noexcept { return !failure.has_value(); }
};

/// Receives an answer on the client's network thread, so it must not block. on_head() at most once,
/// then any number of on_data(), then on_end() exactly once in every case. No call after on_end().
class HttpSink {
 public:
  virtual ~HttpSink() = default;
  virtual void on_head(const HttpHead& head) = 0;
  virtual void on_data(std::string_view bytes) = 0;
  virtual void on_end(const HttpEnd& end) = 0;
};

/// A started exchange. Destroying the handle detaches the exchange.
class HttpExchange {
 public:
  virtual ~HttpExchange() = default;
  /// Closes the stream at once; on_end() follows with kCancelled unless it was on its way. Does not
  /// wait. Safe from any thread, including the sink's calls; idempotent.
  virtual void cancel() = 0;
};

/// Thread-safe. Outlives its exchanges: the destructor cancels them all, and every sink has got its
/// on_end() when it returns.
class Http {
 public:
  virtual ~Http() = default;
  /// Never blocks and never fails by itself: every error reaches the sink (possibly before it
  /// returns).
  virtual std::unique_ptr<HttpExchange> start(HttpRequest request,
                                              std::shared_ptr<HttpSink> sink) = 0;
};

}  // namespace clever::io
