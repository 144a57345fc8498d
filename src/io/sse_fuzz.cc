#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "io/sse.h"

// For any bytes and any cut, the events are the same.
namespace {

std::string events(std::string_view first, std::string_view second) {
  std::string seen;
  clever::io::SseParser parser(1 << 20);
  for (const std::string_view piece : {first, second}) {
    parser.feed(piece, [&](const clever::io::SseEvent& event) {
      seen.append(event.name)
          .append("|")
          .append(event.data)
          .append("|")
          .append(event.id)
          .append("\n");
    });
  }
  return seen;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::string_view stream = bytes.substr(1);
  const std::size_t cut = stream.empty() ? 0 : data[0] % stream.size();
  CLEVER_CHECK(events(stream, {}) == events(stream.substr(0, cut), stream.substr(cut)),
               "a cut changed the events");
  return 0;
}
