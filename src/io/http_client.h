#pragma once
#include <filesystem>
#include <memory>
#include <string>

#include "base/thread.h"
#include "io/environment.h"
#include "io/http.h"

namespace clever::io {

namespace internal {
class HttpNetwork;
}

struct HttpClientOptions {
  /// Names the proxies (http_proxy, https_proxy, all_proxy, no_proxy, in lower or upper case) and,
  /// in SSL_CERT_FILE, the file of trusted authorities. This machine is never reached through a
  /// proxy.
  Environment environment{};
  /// A PEM file of authorities to trust in addition to the system's, such as a company's own.
  std::filesystem::path extra_authorities{};
  std::string user_agent = "cleveragents";
  /// Loaded at the first exchange.
  std::string library = "libcurl.so.4";
};

/// HTTP/1.1 and HTTP/2 over libcurl, any number of exchanges on its own thread, which calls the
/// sinks. Always verifies TLS; returns redirects as answers; has no cookies.
///
/// Owned by the composition root. Thread-safe. Every failure reaches the sink: without libcurl
/// every exchange ends with kNoLibrary. The destructor ends all exchanges and must not run on the
/// client's own thread, that is in a sink.
///
/// A request with a method that is not idempotent (POST, PATCH) is sent at most once: if a kept
/// connection ends before any answer, it is kCut with `reused_connection`, because the server may
/// have read the request. libcurl repeats the others itself.
///
/// An answer without a length, which ends with its connection, cannot be distinguished from a cut
/// one: the reader of its content must know where it ends.
class HttpClient final : public Http {
 public:
  explicit HttpClient(HttpClientOptions options = {});
  ~HttpClient() override;
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  std::unique_ptr<HttpExchange> start(HttpRequest request, std::shared_ptr<HttpSink> sink) override;

 private:
  // Null if the system has no descriptors left; shared with the handles of exchanges.
  const std::shared_ptr<internal::HttpNetwork> network_;
  base::Thread thread_;
};

}  // namespace clever::io
