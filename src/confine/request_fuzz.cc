#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "confine/internal/request.h"

// Any input is refused, or is a command that survives being written and read again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace clever::confine::internal;
  const std::string text(reinterpret_cast<const char*>(data), size);
  static_cast<void>(read_request_head(text));
  const auto command = decode_request(text);
  if (!command.ok()) return 0;
  const auto again = encode_request(*command);
  if (!again.ok() || again->substr(kRequestHeadSize) != text) std::abort();
  return 0;
}
