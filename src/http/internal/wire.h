#pragma once
#include <string>
#include <string_view>

#include "http/internal/request_facts.h"
#include "http/message.h"

namespace clever::http::internal {

/// An answer as bytes. What only the connection knows (Date, Connection, chunks) it adds itself.
struct WireAnswer {
  /// The status line and headers, each with its line end, without the empty line.
  std::string head{};
  std::string body{};  // empty for HEAD
  bool close = false;
};

/// Encodes a whole answer, compressed where the client accepts that and it is worth it. A response
/// whose status or headers cannot be sent becomes a 500.
[[nodiscard]] WireAnswer encode_answer(Response response, const RequestFacts& facts);

/// Encodes the head of a stream; the response's body is not used.
[[nodiscard]] WireAnswer encode_stream_head(const Response& response);

/// An answer of the server itself: application/problem+json (RFC 9457).
[[nodiscard]] Response problem(int status, std::string_view detail);

}  // namespace clever::http::internal
