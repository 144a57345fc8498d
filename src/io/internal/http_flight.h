#pragma once
#include <cstdint>
#include <memory>
#include <utility>

#include "base/atomic.h"
#include "io/http.h"

namespace clever::io::internal {

class HttpTransfer;

/// One exchange from beginning to end. Shared by the caller's handle and the network thread, which
/// owns everything except `over`.
struct HttpFlight {
  HttpFlight(HttpRequest wanted, std::shared_ptr<HttpSink> receiver)
      : request(std::move(wanted)), sink(std::move(receiver)) {}

  HttpRequest request;
  std::shared_ptr<HttpSink> sink;
  /// Null before it began and after it ended, so that a late cancellation finds nothing.
  HttpTransfer* transfer = nullptr;
  /// True once it need not be cancelled any more; publishes nothing else.
  base::Atomic<bool> over{false};
};

struct HttpCommand {
  enum class Kind : std::uint8_t { kStart, kCancel };
  Kind kind = Kind::kStart;
  std::shared_ptr<HttpFlight> flight{};
};

}  // namespace clever::io::internal
