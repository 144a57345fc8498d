#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "support/certificate.h"

namespace clever::test {

/// HTTP/2 over TLS in front of a server of ours that speaks HTTP/1.1 on a local port: nghttpx, as a
/// child that ends with this object and with the process.
class Http2Front {
 public:
  Http2Front(int backend_port, const Certificate& certificate);
  ~Http2Front();
  Http2Front(const Http2Front&) = delete;
  Http2Front& operator=(const Http2Front&) = delete;

  /// https://localhost:PORT/path
  [[nodiscard]] std::string url(std::string_view path = "/") const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace clever::test
