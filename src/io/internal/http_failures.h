#pragma once
#include <curl/curl.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "io/http.h"

namespace clever::io::internal {

/// Facts about a failed transfer.
struct TransferFacts {
  std::string place{};        // host:port
  std::string proxy_place{};  // host:port of the proxy, if there is one
  std::string detail{};       // libcurl's message; may hold credentials, see `secrets`
  std::string secrets{};      // user and password of the proxy or URL, never to be shown
  std::string authorities{};  // the file of trusted certificates
  bool sent = false;          // the request began to be sent
  bool reused_connection = false;
  bool repeat_refused = false;  // libcurl was about to send the request a second time
  bool too_large = false;
  bool bomb = false;  // it unpacks to far more than was sent, or is packed more than once
  std::size_t answer_limit = 0;
  std::size_t received = 0;
  long proxy_status = 0;  // the proxy's answer to CONNECT
};

enum class HttpPhase : std::uint8_t { kConnecting, kWaiting, kReading };
enum class HttpLimit : std::uint8_t { kConnect, kFirstByte, kIdle, kTotal };

/// The end of a transfer that libcurl ended with `code`.
[[nodiscard]] HttpEnd end_of(CURLcode code, const TransferFacts& facts);
[[nodiscard]] HttpEnd timed_out(HttpLimit limit, std::chrono::milliseconds time,
                                const TransferFacts& facts);
[[nodiscard]] HttpEnd cancelled_end(const std::string& place);
[[nodiscard]] HttpEnd bad_url_end(std::string_view url);
[[nodiscard]] HttpEnd bad_header_end(std::string_view name);

}  // namespace clever::io::internal
