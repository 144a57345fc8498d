#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "confine/internal/proxy_request.h"

// An accepted head names one host, and is forwarded as one head.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace clever::confine::internal;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto request = parse_proxy_request(text);
  if (request.ok()) {
    if (request->destination.host.empty() || request->destination.port == 0) std::abort();
    if (!request->tunnel && request->head.find("\r\n\r\n") != request->head.size() - 4) {
      std::abort();
    }
  }
  return 0;
}
