#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "index/internal/syntax_codec.h"

// Any bytes are rejected or decoded; what is decoded survives another round trip.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  (void)clever::index::internal::decode_imports(bytes);
  const auto decoded = clever::index::internal::decode_syntax(bytes);
  if (!decoded.ok()) return 0;
  std::string again;
  clever::index::internal::encode_syntax(*decoded, again);
  CLEVER_CHECK(clever::index::internal::decode_syntax(again).value() == *decoded,
               "another syntax came back");
  return 0;
}
