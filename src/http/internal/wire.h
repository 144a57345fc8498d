#pragma once
#include <string>
#include <string_view>

#include "http/internal/request_facts.h"
#include "http/message.h"

namespace clever::http::internal {

/// An answer as bytes. The connection adds its own parts (Date, Connection, chunks).
struct WireAnswer {
  /// The status line and headers, each with its line end, without the empty line.
  std::string head{};
  std::string body{};  // empty for HEAD
  bool close = false;
};

/// Encodes a whole answer, compressed if the client accepts that and it is worthwhile. A response
/// with an invalid status or header becomes a 500.
[[nodiscard]] WireAnswer encode_answer(Response response, const RequestFacts& facts);

/// Encodes the head of a stream; ignores the response's body.
[[nodiscard]] WireAnswer encode_stream_head(const Response& response);

/// The server's own answer: application/problem+json (RFC 9457).
[[nodiscard]] Response problem(int status, std::string_view detail);

}  // namespace clever::http::internal
