#pragma once

namespace clever::http::internal {

/// Facts of a request that its answer depends on, besides its content.
struct RequestFacts {
  bool is_head = false;      // the answer has no body
  bool is_http_1_0 = false;  // no chunks
  bool keep_alive = true;    // the client wants to continue
  bool accepts_gzip = false;
};

}  // namespace clever::http::internal
