#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "support/http_server.h"

namespace clever::test::internal {

/// Takes HTTP/1.1 requests out of a stream of bytes. Knows Content-Length and chunked bodies.
class RequestParser {
 public:
  void add(std::string_view bytes) { buffer_.append(bytes); }
  /// The next whole request, taken out of what came.
  [[nodiscard]] std::optional<SeenRequest> next();
  /// What came is not HTTP.
  [[nodiscard]] bool broken() const { return broken_; }
  /// A client that asks before it sends its body (Expect: 100-continue); once per request.
  [[nodiscard]] bool take_expectation();
  /// What came after the last request: the beginning of another, or of a tunnel's bytes.
  [[nodiscard]] std::string take_rest() { return std::exchange(buffer_, {}); }

 private:
  bool parse_head();
  void parse_lines(std::string_view head);
  bool take_body();
  bool take_chunked_body();

  std::string buffer_;
  std::optional<SeenRequest> head_;
  bool asked_ = false;
  bool broken_ = false;
};

}  // namespace clever::test::internal
