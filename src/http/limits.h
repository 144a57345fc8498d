#pragma once
#include <chrono>
#include <cstddef>

namespace clever::http {

/// Limits on peers. The comments name the answer to a value beyond its limit; "closes" means that
/// the server ends the connection.
struct Limits {
  // Of a request.
  std::size_t target_bytes = std::size_t{8} << 10U;   // 414, closes
  std::size_t header_bytes = std::size_t{32} << 10U;  // with the request line: 431, closes
  std::size_t header_count = 100;                     // 431, closes
  std::size_t body_bytes = std::size_t{8} << 20U;     // 413, closes

  // Of a connection.
  std::size_t requests_per_connection = 100'000;  // closes after the last one
  std::size_t streams_per_connection = 1'000;     // closes after the last one
  /// Requests that arrive while one is being answered: further input stays unread.
  std::size_t pipelined_bytes = std::size_t{64} << 10U;

  // Of the server.
  std::size_t connections = 16'384;             // 503, closes
  std::size_t connections_per_address = 1'024;  // 503, closes; not for the unix socket
  std::size_t streams = 16'384;                 // 503
  /// Input and bodies held by connections and handlers together: a request that is read beyond that
  /// gets 503, closes.
  std::size_t held_bytes = std::size_t{512} << 20U;
  /// What a stream's reader has not taken yet: more closes the stream.
  std::size_t stream_buffer_bytes = std::size_t{256} << 10U;

  // How long each part may take.
  std::chrono::milliseconds read_head{10'000};  // from its first byte: 408, closes
  std::chrono::milliseconds read_body{60'000};  // in total: 408, closes
  std::chrono::milliseconds write{30'000};      // without any progress: closes
  std::chrono::milliseconds idle{75'000};       // between two requests: closes
  /// After a refusal the server reads on for this long, so that the peer receives the answer.
  std::chrono::milliseconds linger{2'000};
};

}  // namespace clever::http
